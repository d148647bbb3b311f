// Asks in Slack whether something may be deployed, with slack-go over Socket Mode.
package main

import (
	"cmp"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"

	"github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"
)

var api = slack.New(
	os.Getenv("SLACK_BOT_TOKEN"),
	slack.OptionAppLevelToken(os.Getenv("SLACK_APP_TOKEN")),
	slack.OptionAPIURL(cmp.Or(os.Getenv("SLACK_API_URL"), slack.APIURL)),
)

var (
	mutex     sync.Mutex
	decisions []string
)

func decide(decision string) {
	mutex.Lock()
	defer mutex.Unlock()
	decisions = append(decisions, decision)
}

func plain(text string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, text, false, false)
}

func section(text string) slack.Block {
	return slack.NewSectionBlock(slack.NewTextBlockObject(slack.MarkdownType, text, false, false), nil, nil)
}

func buttons(elements ...slack.BlockElement) slack.Block {
	return slack.NewActionBlock("", elements...)
}

func button(label, actionID, value string) slack.BlockElement {
	return slack.NewButtonBlockElement(actionID, value, plain(label))
}

// check reports errors of calls, which the test of this app sees as well.
func check(err error) {
	if err != nil {
		log.Print(err)
	}
}

func ask(event *socketmode.Event, client *socketmode.Client) {
	client.Ack(*event.Request)
	command := event.Data.(slack.SlashCommand)
	text := fmt.Sprintf("Deploy %s?", command.Text)
	_, _, err := api.PostMessage(command.ChannelID, slack.MsgOptionText(text, false), slack.MsgOptionBlocks(
		section(text),
		buttons(button("Approve", "approve", command.Text), button("Reject", "reject", command.Text)),
	))
	check(err)
}

func approve(event *socketmode.Event, client *socketmode.Client) {
	client.Ack(*event.Request)
	click := event.Data.(slack.InteractionCallback)
	what, channel, ts := click.ActionCallback.BlockActions[0].Value, click.Channel.ID, click.Message.Timestamp
	decision := fmt.Sprintf("%s was approved by <@%s>.", what, click.User.ID)
	decide(decision)
	_, _, _, err := api.UpdateMessage(channel, ts, slack.MsgOptionText(decision, false), slack.MsgOptionBlocks())
	check(err)
	text := "How did it go?"
	_, _, err = api.PostMessage(channel, slack.MsgOptionTS(ts), slack.MsgOptionText(text, false),
		slack.MsgOptionBlocks(section(text), buttons(button("Report", "report", what))))
	check(err)
}

func reject(event *socketmode.Event, client *socketmode.Client) {
	client.Ack(*event.Request)
	click := event.Data.(slack.InteractionCallback)
	decision := fmt.Sprintf("%s was rejected by <@%s>.", click.ActionCallback.BlockActions[0].Value, click.User.ID)
	decide(decision)
	_, _, err := api.PostMessage(click.Channel.ID, slack.MsgOptionReplaceOriginal(click.ResponseURL),
		slack.MsgOptionText(decision, false), slack.MsgOptionBlocks())
	check(err)
}

func openReport(event *socketmode.Event, client *socketmode.Client) {
	client.Ack(*event.Request)
	click := event.Data.(slack.InteractionCallback)
	input := slack.NewPlainTextInputBlockElement(nil, "result").WithMultiline(true)
	_, err := api.OpenView(click.TriggerID, slack.ModalViewRequest{
		Type:            slack.VTModal,
		CallbackID:      "report",
		PrivateMetadata: click.Channel.ID + " " + click.Message.ThreadTimestamp,
		Title:           plain("Report"),
		Submit:          plain("Send"),
		Blocks:          slack.Blocks{BlockSet: []slack.Block{slack.NewInputBlock("result", plain("Result"), nil, input)}},
	})
	check(err)
}

func report(event *socketmode.Event, client *socketmode.Client) {
	view := event.Data.(slack.InteractionCallback).View
	result := view.State.Values["result"]["result"].Value
	if len(result) < 10 {
		errors := map[string]string{"result": "Write a whole sentence."}
		client.Ack(*event.Request, slack.NewErrorsViewSubmissionResponse(errors))
		return
	}
	client.Ack(*event.Request)
	channel, ts, _ := strings.Cut(view.PrivateMetadata, " ")
	_, err := api.UploadFile(slack.UploadFileParameters{
		Channel:         channel,
		ThreadTimestamp: ts,
		Filename:        "report.txt",
		Content:         result,
		FileSize:        len(result),
		InitialComment:  "The report",
	})
	check(err)
	check(api.AddReaction("white_check_mark", slack.NewRefToMessage(channel, ts)))
}

func showDecisions(event *socketmode.Event, client *socketmode.Client) {
	client.Ack(*event.Request)
	opened := event.Data.(slackevents.EventsAPIEvent).InnerEvent.Data.(*slackevents.AppHomeOpenedEvent)
	mutex.Lock()
	defer mutex.Unlock()
	var lines slack.Blocks
	for _, decision := range decisions {
		lines.BlockSet = append(lines.BlockSet, section(decision))
	}
	_, err := api.PublishView(opened.User, slack.HomeTabViewRequest{Type: slack.VTHomeTab, Blocks: lines}, "")
	check(err)
}

func main() {
	handler := socketmode.NewSocketmodeHandler(socketmode.New(api))
	handler.HandleSlashCommand("/deploy", ask)
	handler.HandleInteractionBlockAction("approve", approve)
	handler.HandleInteractionBlockAction("reject", reject)
	handler.HandleInteractionBlockAction("report", openReport)
	handler.HandleViewSubmission("report", report)
	handler.HandleEvents(slackevents.AppHomeOpened, showDecisions)
	log.Fatal(handler.RunEventLoop())
}
