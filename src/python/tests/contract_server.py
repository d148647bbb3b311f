"""A small, strict server of Signoff's `/asks`, in which tests play the people."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "h0.secret-of-the-tests"
POLICY = "research"
FIELDS = {
    *("policy", "title", "text", "why", "outcomes", "fields", "inputs", "expires_in", "channel", "callback", "id"),
    *("thread", "replaces"),
}
DECIDED_AT = "2026-11-29T10:00:00.000Z"


@dataclass
class Ask:
    """What was asked, and how it stands."""

    ref: str
    body: dict[str, Any]
    state: dict[str, Any] = field(default_factory=lambda: {"status": "waiting"})

    def told(self) -> dict[str, Any]:
        return {"ref": self.ref, "url": f"https://slack.example/{self.ref}", "id": self.body.get("id"), **self.state}


class Bot:
    """People decide with `decide` and `expire`. Each of `faults` is served once: a status with headers, or None."""

    def __init__(self) -> None:
        self.asks: list[Ask] = []
        self.requests: list[str] = []
        self.faults: list[tuple[int, Mapping[str, str]] | None] = []
        self.url = ""
        self.changed = threading.Condition()
        self.decides: Any = None
        """Called with each new ask, in a thread of its own."""

    def ask(self, ref: str) -> Ask:
        return next(ask for ask in self.asks if ask.ref == ref)

    def decide(self, ask: Ask, decision: str = "approved", **more: Any) -> None:
        nothing = {"outcome": None, "answer": None, "feedback": None, "edited_text": None}
        by = {"id": "U_MARIA", "name": "Maria"}
        state = {"status": "decided", "decision": decision, **nothing, "by": by, "decided_at": DECIDED_AT, **more}
        self._set(ask, state)

    def expire(self, ask: Ask) -> None:
        nothing = {"outcome": None, "answer": None, "feedback": None, "edited_text": None, "by": None}
        self._set(ask, {"status": "expired", "decision": "expired", **nothing, "decided_at": DECIDED_AT})

    def close(self, ask: Ask, status: str = "closed") -> None:
        self._set(ask, {"status": status})

    def wait_for_asks(self, count: int) -> list[Ask]:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.asks) >= count, 10), f"{len(self.asks)} of {count} asked"
            return list(self.asks)

    def wait_for_requests(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.requests) >= count, 10)

    def callback(self, ask: Ask) -> dict[str, Any]:
        data = {name: value for name, value in ask.told().items() if name != "url"}
        return {"type": "ask.decided", "timestamp": DECIDED_AT, "data": data}

    def _set(self, ask: Ask, state: dict[str, Any]) -> None:
        with self.changed:
            assert ask.state["status"] == "waiting", "it was decided before"
            ask.state = state
            self.changed.notify_all()

    def answer(self, method: str, path: str, body: Any) -> tuple[int, dict[str, Any]]:
        url = urlsplit(path)
        _, top, *rest = url.path.split("/")
        if top != "asks":
            return 404, {"status": "refused", "message": "Nothing is here."}
        if method == "POST" and not rest:
            return self._post(body)
        found = [ask for ask in self.asks if rest == [ask.ref]]
        if not found:
            return 404, {"status": "refused", "message": "Nothing was asked under this ref, or no longer."}
        (ask,) = found
        if method == "GET":
            wait = min(int(parse_qs(url.query).get("wait", ["0"])[0]), 50)
            with self.changed:
                self.changed.wait_for(lambda: ask.state["status"] != "waiting", wait)
            return 200, ask.told()
        if ask.state["status"] == "waiting":
            self.close(ask, "cancelled")
        return (200 if ask.state["status"] == "cancelled" else 409), ask.told()

    def _post(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        problems = [f"{name} is no field of an ask." for name in body if name not in FIELDS]
        title, text, outcomes = body.get("title", ""), body.get("text", ""), body.get("outcomes")
        if not 1 <= len(title) <= 150 or title.strip() != title or "\n" in title:
            problems.append("title must be one line of 1 to 150 characters.")
        if not text.strip():
            problems.append("text must be text of 1 to 1048576 characters.")
        if outcomes is not None and not (1 <= len(outcomes) <= 100 and len(set(outcomes)) == len(outcomes)):
            problems.append("outcomes must be a list of 1 to 100 different names.")
        if outcomes and body.get("fields"):
            problems.append("fields can't come together with outcomes.")
        problems += [
            f"{name} must be one line of 1 to 200 characters."
            for name in ("id", "thread")
            if name in body and not 1 <= len(body[name]) <= 200
        ]
        if "id" not in body:
            problems.append("These tests want an id, so that the request may be repeated.")
        if "replaces" in body and "thread" not in body:
            problems.append("replaces needs a thread.")
        if problems:
            return 422, {"status": "refused", "message": " ".join(problems), "problems": problems}
        if body["policy"] != POLICY:
            return 401, {"status": "refused", "message": "The token is not that of the crew that policy names."}
        with self.changed:
            for ask in self.asks:
                if ask.body["id"] == body["id"]:
                    if ask.body != body:
                        return 409, {"status": "refused", "message": "Something else was asked under this id."}
                    return 200, ask.told()
            if "replaces" in body:
                older = self.ask(body["replaces"])
                if older.state["status"] == "decided":
                    return 409, older.told()
                older.state = {"status": "closed"}
            ask = Ask(f"ref-{len(self.asks) + 1}", body)
            self.asks.append(ask)
            self.changed.notify_all()
        if self.decides is not None:
            threading.Thread(target=self.decides, args=(ask,), daemon=True).start()
        return 201, ask.told()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, *_: object) -> None:
        """A program that goes away while it waits is nothing to print."""


@contextmanager
def serve() -> Iterator[Bot]:
    """A bot on a port of its own."""
    bot = Bot()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def respond(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            with bot.changed:
                bot.requests.append(f"{self.command} {self.path}")
                fault = bot.faults.pop(0) if bot.faults else ()
                bot.changed.notify_all()
            if fault is None:
                # The request has arrived, but its answer is lost.
                bot.answer(self.command, self.path, body)
                self.close_connection = True
                return
            headers: Mapping[str, str] = {}
            if fault:
                status, headers = fault
                told: dict[str, Any] = {"status": "refused", "message": "Send it again."}
            elif self.headers.get("authorization") != f"Bearer {TOKEN}":
                status, told = 401, {"status": "refused", "message": "The token is wrong."}
            else:
                status, told = bot.answer(self.command, self.path, body)
            content = json.dumps(told).encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_DELETE = respond

        def log_message(self, *_: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    bot.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield bot
    finally:
        server.shutdown()
        server.server_close()
