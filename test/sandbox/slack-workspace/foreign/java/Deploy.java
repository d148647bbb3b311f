import static com.slack.api.model.block.Blocks.actions;
import static com.slack.api.model.block.Blocks.asBlocks;
import static com.slack.api.model.block.Blocks.input;
import static com.slack.api.model.block.Blocks.section;
import static com.slack.api.model.block.composition.BlockCompositions.markdownText;
import static com.slack.api.model.block.composition.BlockCompositions.plainText;
import static com.slack.api.model.block.element.BlockElements.asElements;
import static com.slack.api.model.block.element.BlockElements.button;
import static com.slack.api.model.block.element.BlockElements.plainTextInput;
import static com.slack.api.model.view.Views.view;
import static com.slack.api.model.view.Views.viewSubmit;
import static com.slack.api.model.view.Views.viewTitle;

import com.google.gson.Gson;
import com.slack.api.Slack;
import com.slack.api.SlackConfig;
import com.slack.api.bolt.App;
import com.slack.api.bolt.AppConfig;
import com.slack.api.bolt.socket_mode.SocketModeApp;
import com.slack.api.model.block.LayoutBlock;
import com.slack.api.model.block.element.ButtonElement;
import com.slack.api.model.event.AppHomeOpenedEvent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Asks in Slack whether something may be deployed, with Bolt for Java over Socket Mode. */
public class Deploy {
    static final List<String> DECISIONS = new CopyOnWriteArrayList<>();

    static LayoutBlock text(String text) {
        return section(it -> it.text(markdownText(text)));
    }

    static ButtonElement choice(String label, String actionId, String value) {
        return button(it -> it.text(plainText(label)).actionId(actionId).value(value));
    }

    public static void main(String[] args) throws Exception {
        SlackConfig slackConfig = new SlackConfig();
        if (System.getenv("SLACK_API_URL") != null) slackConfig.setMethodsEndpointUrlPrefix(System.getenv("SLACK_API_URL"));
        App app = new App(AppConfig.builder()
            .slack(Slack.getInstance(slackConfig))
            .singleTeamBotToken(System.getenv("SLACK_BOT_TOKEN"))
            .build());

        app.command("/deploy", (req, ctx) -> {
            String what = req.getPayload().getText();
            String question = "Deploy " + what + "?";
            ctx.client().chatPostMessage(it -> it.channel(req.getPayload().getChannelId()).text(question).blocks(asBlocks(
                text(question),
                actions(asElements(choice("Approve", "approve", what), choice("Reject", "reject", what))))));
            return ctx.ack();
        });

        app.blockAction("approve", (req, ctx) -> {
            String channel = req.getPayload().getChannel().getId();
            String ts = req.getPayload().getMessage().getTs();
            String what = req.getPayload().getActions().get(0).getValue();
            String decision = what + " was approved by <@" + req.getPayload().getUser().getId() + ">.";
            DECISIONS.add(decision);
            ctx.client().chatUpdate(it -> it.channel(channel).ts(ts).text(decision).blocks(List.of()));
            String question = "How did it go?";
            ctx.client().chatPostMessage(it -> it.channel(channel).threadTs(ts).text(question).blocks(asBlocks(
                text(question), actions(asElements(choice("Report", "report", what))))));
            return ctx.ack();
        });

        // Java's own HTTP client, which offers to go on in HTTP/2.
        HttpClient http = HttpClient.newHttpClient();
        app.blockAction("reject", (req, ctx) -> {
            String what = req.getPayload().getActions().get(0).getValue();
            String decision = what + " was rejected by <@" + req.getPayload().getUser().getId() + ">.";
            DECISIONS.add(decision);
            Map<String, Object> message = Map.of("text", decision, "blocks", List.of(), "replace_original", true);
            http.sendAsync(
                HttpRequest.newBuilder(URI.create(req.getPayload().getResponseUrl()))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(new Gson().toJson(message)))
                    .build(),
                BodyHandlers.ofString()).join();
            return ctx.ack();
        });

        app.blockAction("report", (req, ctx) -> {
            String thread = req.getPayload().getChannel().getId() + " " + req.getPayload().getMessage().getThreadTs();
            ctx.client().viewsOpen(it -> it.triggerId(req.getPayload().getTriggerId()).view(view(modal -> modal
                .type("modal")
                .callbackId("report")
                .privateMetadata(thread)
                .title(viewTitle(title -> title.type("plain_text").text("Report")))
                .submit(viewSubmit(submit -> submit.type("plain_text").text("Send")))
                .blocks(asBlocks(input(block -> block
                    .blockId("result")
                    .label(plainText("Result"))
                    .element(plainTextInput(element -> element.actionId("result").multiline(true)))))))));
            return ctx.ack();
        });

        app.viewSubmission("report", (req, ctx) -> {
            String result = req.getPayload().getView().getState().getValues().get("result").get("result").getValue();
            if (result.length() < 10) {
                return ctx.ack(it -> it.responseAction("errors").errors(Map.of("result", "Write a whole sentence.")));
            }
            String[] thread = req.getPayload().getView().getPrivateMetadata().split(" ");
            ctx.client().filesUploadV2(it -> it
                .channel(thread[0])
                .threadTs(thread[1])
                .filename("report.txt")
                .content(result)
                .initialComment("The report"));
            ctx.client().reactionsAdd(it -> it.channel(thread[0]).timestamp(thread[1]).name("white_check_mark"));
            return ctx.ack();
        });

        app.event(AppHomeOpenedEvent.class, (req, ctx) -> {
            List<LayoutBlock> lines = DECISIONS.stream().map(Deploy::text).toList();
            ctx.client().viewsPublish(it -> it
                .userId(req.getEvent().getUser())
                .view(view(home -> home.type("home").blocks(lines))));
            return ctx.ack();
        });

        new SocketModeApp(System.getenv("SLACK_APP_TOKEN"), app).start();
    }
}
