"""Asks in Slack whether something may be deployed, with Bolt for Python: over Socket Mode, or over HTTP with --http."""

import json
import os
import sys

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient

app = App(
    client=WebClient(token=os.environ["SLACK_BOT_TOKEN"], base_url=os.environ.get("SLACK_API_URL", WebClient.BASE_URL)),
    signing_secret=os.environ["SLACK_SIGNING_SECRET"],
)
decisions = []


def plain(text):
    return {"type": "plain_text", "text": text}


def button(label, action_id, value):
    return {"type": "button", "action_id": action_id, "text": plain(label), "value": value}


def question(text, *buttons):
    return [
        {"type": "section", "text": {"type": "mrkdwn", "text": text}},
        {"type": "actions", "elements": list(buttons)},
    ]


@app.command("/deploy")
def ask(ack, command, say):
    ack()
    what = command["text"]
    text = f"Deploy {what}?"
    say(text=text, blocks=question(text, button("Approve", "approve", what), button("Reject", "reject", what)))


@app.action("approve")
def approve(ack, body, action, client):
    ack()
    channel, ts = body["channel"]["id"], body["message"]["ts"]
    decision = f"{action['value']} was approved by <@{body['user']['id']}>."
    decisions.append(decision)
    client.chat_update(channel=channel, ts=ts, text=decision, blocks=[])
    text = "How did it go?"
    client.chat_postMessage(
        channel=channel, thread_ts=ts, text=text, blocks=question(text, button("Report", "report", action["value"]))
    )


@app.action("reject")
def reject(ack, body, action, respond):
    ack()
    decision = f"{action['value']} was rejected by <@{body['user']['id']}>."
    decisions.append(decision)
    respond(text=decision, blocks=[], replace_original=True)


@app.action("report")
def open_report(ack, body, client):
    ack()
    thread = {"channel": body["channel"]["id"], "ts": body["message"]["thread_ts"]}
    client.views_open(
        trigger_id=body["trigger_id"],
        view={
            "type": "modal",
            "callback_id": "report",
            "private_metadata": json.dumps(thread),
            "title": plain("Report"),
            "submit": plain("Send"),
            "blocks": [
                {
                    "type": "input",
                    "block_id": "result",
                    "label": plain("Result"),
                    "element": {"type": "plain_text_input", "action_id": "result", "multiline": True},
                }
            ],
        },
    )


@app.view("report")
def report(ack, view, client):
    result = view["state"]["values"]["result"]["result"]["value"]
    if len(result) < 10:
        ack(response_action="errors", errors={"result": "Write a whole sentence."})
        return
    ack()
    thread = json.loads(view["private_metadata"])
    client.files_upload_v2(
        channel=thread["channel"],
        thread_ts=thread["ts"],
        filename="report.txt",
        content=result,
        initial_comment="The report",
    )
    client.reactions_add(channel=thread["channel"], timestamp=thread["ts"], name="white_check_mark")


@app.event("app_home_opened")
def show_decisions(event, client):
    lines = [{"type": "section", "text": {"type": "mrkdwn", "text": decision}} for decision in decisions]
    client.views_publish(user_id=event["user"], view={"type": "home", "blocks": lines})


if "--http" in sys.argv:
    app.start(port=int(os.environ["PORT"]))
else:
    SocketModeHandler(app, os.environ["SLACK_APP_TOKEN"]).start()
