"""Serves one crew in Python behind the interface of the crew execution service. A template to copy.

    CREW_TOKEN=your-own-token python3 crew_service.py [PORT]

`GET /inputs`, `POST /kickoff`, `GET /status/{id}` and `POST /resume`, with nothing but Python's standard library (3.9 or
newer). Where CrewAI is installed, the crew that `installed_crew` makes is served: put yours there. A task of it with
`human_input=True` no longer asks on the terminal: it asks the `humanInputWebhook` of the kickoff, and waits for the resume.
Without CrewAI, a stub that writes an announcement is served, so that this file runs as it is.

What you should know before you rely on it:

- All runs are kept in memory only. When this process ends, they end with it, those that wait for a person included: their
  decisions are then answered with 404. Nothing is ever forgotten before that, so restart it when nothing runs.
- Whoever is to be asked is notified until it takes that, or refuses it with a 4xx. Other notifications are tried five times.
- A run works in a thread of its own. There is no limit on how many work at once, or how long, and no way to stop one.
- An approval's text doesn't reach the crew: CrewAI has no place for it. A rejection's does, in full.
- A kickoff without a `humanInputWebhook` never pauses: what needs a review goes on without one.
- It was written after CrewAI's source of late 2026, and tested with the stub alone: try a rejection and an approval first.
- Plain HTTP, on this machine only: put a proxy with TLS in front of it if others are to reach it.
"""

import asyncio
import base64
import hmac
import itertools
import json
import os
import socket
import sys
import threading
import traceback
import urllib.error
import urllib.parse
import urllib.request
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LARGEST_BODY = 1024 * 1024
TRIES = 5
LONGEST_PAUSE_S = 30
APPROVED = None


# --- The crew ---------------------------------------------------------------------------------------------------------


class StubCrew:
    """Stands in for a real crew: it writes an announcement until a person approves it."""

    inputs = ["topic"]

    def kickoff(self, inputs, ask):
        text = f"# About {inputs['topic']}"
        while True:
            feedback = ask("announcement-task", "announcement", text)
            if feedback is APPROVED:
                return f"Published:\n{text}"
            text = f"{text}\n{feedback}"


class InstalledCrew:
    """A crew of CrewAI, whose tasks ask `ask` where they would ask on the terminal."""

    def __init__(self, crew, inputs):
        self.crew = crew
        self.inputs = inputs

    def kickoff(self, inputs, ask):
        # It holds for this thread, and so for this run.
        set_provider(asking_provider(ask))
        return self.crew.copy().kickoff(inputs=inputs).raw


def installed_crew():
    """Put your own crew here."""
    from crewai import Agent, Crew, Task

    writer = Agent(role="Writer", goal="A text that is read to its end", backstory="You write for colleagues.")
    announcement = Task(
        name="announcement",
        description="Write an announcement about {topic}.",
        expected_output="Markdown, at most 200 words.",
        agent=writer,
        human_input=True,
    )
    return InstalledCrew(Crew(agents=[writer], tasks=[announcement]), inputs=["topic"])


def asking_provider(ask):
    """What CrewAI calls once a task with `human_input=True` has an answer. An empty feedback would accept it."""

    class AskingProvider(SyncHumanInputProvider):
        def handle_feedback(self, formatted_answer, context):
            while context.ask_for_human_input:
                feedback = self.feedback_on(formatted_answer, context)
                if feedback is APPROVED:
                    context.ask_for_human_input = False
                else:
                    context.messages.append(context._format_feedback_message(feedback))
                    formatted_answer = context._invoke_loop()
            return formatted_answer

        async def handle_feedback_async(self, formatted_answer, context):
            while context.ask_for_human_input:
                feedback = await asyncio.to_thread(self.feedback_on, formatted_answer, context)
                if feedback is APPROVED:
                    context.ask_for_human_input = False
                else:
                    context.messages.append(context._format_feedback_message(feedback))
                    formatted_answer = await context._ainvoke_loop()
            return formatted_answer

        def feedback_on(self, answer, context):
            task = context.task
            return ask(str(task.id), task.name or task.description, self._get_output_string(answer))

    return AskingProvider()


try:
    from crewai.core.providers.human_input import SyncHumanInputProvider, set_provider
except ImportError:
    CREW = StubCrew()
else:
    CREW = installed_crew()


# --- Runs -------------------------------------------------------------------------------------------------------------


class Refusal(Exception):
    """Becomes the answer to a request."""

    def __init__(self, status, error, message, details=None):
        super().__init__(message)
        self.status = status
        self.body = {"error": error, "message": message}
        if details is not None:
            self.body["details"] = details


class Run:
    """One execution. Everything that may change is changed under its lock."""

    def __init__(self, inputs, addresses):
        self.id = str(uuid.uuid4())
        self.inputs = inputs
        self.addresses = addresses
        self.changed = threading.Condition()
        self.task = None
        self.pending = None
        self.decision = None
        self.outcome = None

    def work(self):
        """Runs the crew to its end, in a thread of its own."""
        try:
            result = CREW.kickoff(self.inputs, self.ask)
            outcome = {"status": "completed", "result": {"output": result}}
            json.dumps(outcome)
        except Exception as error:
            traceback.print_exc()
            outcome = {"status": "error", "error": str(error) or type(error).__name__}
        with self.changed:
            self.outcome = outcome
        if outcome["status"] == "completed":
            self.tell("crew", {"status": "completed", "result": outcome["result"]["output"]})

    def ask(self, task_id, name, output):
        """Waits for a person's decision. Returns the feedback of a rejection, or APPROVED."""
        with self.changed:
            self.task = name
        self.tell("task", {"task_id": task_id, "status": "completed", "name": name, "task_output": output})
        if self.addresses["human_input"] is None:
            return APPROVED
        with self.changed:
            self.pending = task_id
        self.tell("human_input", {"task_id": task_id, "task_output": output})
        with self.changed:
            while self.decision is None:
                self.changed.wait()
            (approved, text), self.decision = self.decision, None
        if approved:
            return APPROVED
        return text.strip() or "Rejected, without a reason. Try something else."

    def resume(self, task_id, approved, text, addresses):
        """Takes a decision, once: whoever comes second is refused."""
        with self.changed:
            if self.pending != task_id:
                raise Refusal(400, "not-pending", f"Execution {self.id} is not pending human input for task {task_id}.")
            self.pending = None
            self.decision = (approved, text)
            # Those of the kickoff are not carried over, except where to ask people.
            self.addresses = {**addresses, "human_input": self.addresses["human_input"]}
            self.changed.notify_all()

    def status(self):
        with self.changed:
            if self.outcome is not None:
                return self.outcome
            status = "running" if self.pending is None else "Pending Human Input"
            return {"status": status, "current_task": self.task}

    def tell(self, event, payload):
        """Sends a notification, if somebody wants it. It doesn't fail the run."""
        address = self.addresses[event]
        if address is None:
            return
        body = json.dumps({"execution_id": self.id, **payload}).encode()
        for attempt in itertools.count(1):
            answer = post(address, body)
            if answer == "taken":
                return
            print(f"{self.id}: the notification {event} was not taken: {answer}", file=sys.stderr)
            if answer == "refused" or (event != "human_input" and attempt == TRIES):
                return
            with self.changed:
                if self.changed.wait_for(lambda: self.decision is not None, min(2**attempt, LONGEST_PAUSE_S)):
                    return


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Credentials go to the address that was given, and to no other."""

    def redirect_request(self, *_):
        return None


WEB = urllib.request.build_opener(NoRedirects)


def post(address, body):
    """'taken', 'refused', or why it may be taken later."""
    headers = {"Content-Type": "application/json", **address["headers"]}
    request = urllib.request.Request(address["url"], data=body, headers=headers, method="POST")
    try:
        with WEB.open(request, timeout=10):
            return "taken"
    except urllib.error.HTTPError as error:
        error.close()
        return f"it answered {error.code}" if error.code >= 500 or error.code in (408, 429) else "refused"
    except Exception as error:
        return str(error)


# --- What clients send ------------------------------------------------------------------------------------------------


def malformed(message):
    return Refusal(400, "malformed", message)


def field(body, name, kind, default):
    value = body.get(name)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise malformed(f"{name} is of the wrong type.")
    return value


def address_of(url, headers):
    try:
        parts = urllib.parse.urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not url.isascii() or any(char <= " " for char in url):
        raise malformed("The address of a webhook is not an http or https URL.")
    return {"url": url, "headers": headers}


def human_input_of(body):
    webhook = field(body, "humanInputWebhook", dict, None)
    if webhook is None:
        return None
    given = field(webhook, "authentication", dict, {})
    strategy = given.get("strategy")
    if strategy == "bearer":
        credentials = f"Bearer {field(given, 'token', str, '')}"
    elif strategy == "basic":
        pair = f"{field(given, 'username', str, '')}:{field(given, 'password', str, '')}"
        credentials = f"Basic {base64.b64encode(pair.encode('utf-8', 'replace')).decode()}"
    elif strategy is None:
        credentials = None
    else:
        raise malformed("authentication.strategy is bearer or basic.")
    if credentials is not None and not (credentials.isascii() and credentials.isprintable()):
        raise malformed("authentication has characters that no header can have.")
    headers = {} if credentials is None else {"Authorization": credentials}
    return address_of(field(webhook, "url", str, ""), headers)


def event_addresses_of(body):
    urls = {event: field(body, f"{event}WebhookUrl", str, None) for event in ("task", "crew")}
    return {event: None if url is None else address_of(url, {}) for event, url in urls.items()}


# --- The routes -------------------------------------------------------------------------------------------------------

RUNS = {}


def kickoff(body):
    inputs = field(body, "inputs", dict, {})
    addresses = {**event_addresses_of(body), "human_input": human_input_of(body)}
    missing = [name for name in CREW.inputs if inputs.get(name) in (None, "")]
    if missing:
        message = f"Missing inputs: {', '.join(missing)}"
        raise Refusal(422, "missing-inputs", message, {"missing_inputs": missing})
    run = Run(inputs, addresses)
    RUNS[run.id] = run
    threading.Thread(target=run.work, daemon=True).start()
    return {"kickoff_id": run.id}


def resume(body):
    missing = [name for name in ("execution_id", "task_id", "is_approve") if body.get(name) is None]
    if missing:
        raise Refusal(422, "missing-fields", f"Missing fields: {', '.join(missing)}")
    approved = field(body, "is_approve", bool, False)
    text = field(body, "human_feedback", str, "")
    run = find(field(body, "execution_id", str, ""))
    run.resume(field(body, "task_id", str, ""), approved, text, event_addresses_of(body))
    return {"status": "resumed" if approved else "retrying", "message": f"Execution {run.id} continues."}


def find(run_id):
    run = RUNS.get(run_id)
    if run is None:
        raise Refusal(404, "not-found", "There is no such execution.")
    return run


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "crew-service"
    sys_version = ""
    # A request that takes longer to arrive is given up.
    timeout = 30
    # An answer goes out as a whole.
    wbufsize = -1

    def do_GET(self):
        self.handle_with(self.get)

    def do_POST(self):
        self.handle_with(self.post)

    def handle_with(self, answer):
        # Until its body has been read, or if it has none.
        self.is_read = not {"Content-Length", "Transfer-Encoding"} & {name.title() for name in self.headers}
        try:
            self.identify()
            status, body = 200, answer(urllib.parse.urlsplit(self.path).path)
        except Refusal as refusal:
            status, body = refusal.status, refusal.body
        except Exception:
            traceback.print_exc()
            status, body = 500, {"error": "fault", "message": "Something went wrong: see the log."}
        self.answer(status, body)

    def identify(self):
        given = self.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(given, f"Bearer {TOKEN}".encode()):
            raise Refusal(401, "unauthorized", "Invalid bearer token.")

    def get(self, path):
        if path == "/inputs":
            return {"inputs": CREW.inputs}
        if path.startswith("/status/"):
            return find(path[len("/status/") :]).status()
        raise self.unknown(path)

    def post(self, path):
        if path == "/kickoff":
            return kickoff(self.read_json())
        if path == "/resume":
            return resume(self.read_json())
        raise self.unknown(path)

    @staticmethod
    def unknown(path):
        return Refusal(404, "not-found", "There is nothing at this address.")

    def read_json(self):
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or self.headers.get("Transfer-Encoding") is not None:
            raise Refusal(411, "malformed", "The request needs a Content-Length.")
        if len(length) > 9 or int(length) > LARGEST_BODY:
            raise Refusal(413, "too-large", f"A body has at most {LARGEST_BODY} bytes.")
        raw = self.rfile.read(int(length))
        self.is_read = len(raw) == int(length)
        try:
            body = json.loads(raw, parse_constant=not_json)
            # What can't be written again, such as half a character, is refused here.
            json.dumps(body, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            raise malformed("The body is not JSON.") from None
        if not isinstance(body, dict):
            raise malformed("The body must be a JSON object.")
        return body

    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if not self.is_read:
            # What follows would be taken for another request.
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text)
        if not self.is_read:
            self.let_finish()

    def let_finish(self):
        """Reads a while what is still being sent: closed at once, the connection would lose the answer."""
        try:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(2)
            for _ in range(1_000):
                if not self.rfile.read1(LARGEST_BODY):
                    return
        except OSError:
            pass


def not_json(constant):
    raise ValueError(f"{constant} is not JSON")


TOKEN = os.environ.get("CREW_TOKEN", "")

if __name__ == "__main__":
    if TOKEN == "":
        sys.exit("Set CREW_TOKEN: the bearer token that clients have to show.")
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 4200
    ThreadingHTTPServer.request_queue_size = 128
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    print(f"{type(CREW).__name__}: http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
