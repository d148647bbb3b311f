"""A `signoff-crew` process and a receiver of its notifications, for tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

TOKEN = "token-of-the-crew"
PATIENCE_S = 60
PACKAGE = Path(__file__).parent.parent


class Receiver:
    """Takes webhooks, by their paths, and keeps what they said."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._received: list[tuple[str, str, dict[str, Any]]] = []
        self._answers: dict[str, int] = {}
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with receiver._changed:
                    receiver._received.append((self.path, self.headers.get("Authorization", ""), body))
                    receiver._changed.notify_all()
                    status = receiver._answers.get(self.path, 200)
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def answer_with(self, path: str, status: int) -> None:
        with self._changed:
            self._answers[path] = status

    def at(self, path: str) -> list[dict[str, Any]]:
        with self._changed:
            return [body for at, _, body in self._received if at == path]

    def nth(self, path: str, number: int) -> dict[str, Any]:
        """The body of the `number`th notification at this path, counted from 1. Waits for it."""
        with self._changed:
            found = self._changed.wait_for(lambda: len(self.at(path)) >= number, PATIENCE_S)
            assert found, f"Nothing came to {path}: {[at for at, _, _ in self._received]}"
            return self.at(path)[number - 1]

    def first(self, path: str, output: str) -> dict[str, Any]:
        """The first question that ends with this output. What a process that was killed had sent may come twice."""

        def found() -> dict[str, Any] | None:
            return next((body for body in self.at(path) if body["task_output"].endswith(output)), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, PATIENCE_S), self.at(path)
            return found() or {}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Service:
    """One process of `signoff-crew`."""

    def __init__(self, target: str, state: Path | str, **env: str) -> None:
        self._log = Path(os.devnull)
        log = Path(f"{state}.log" if isinstance(state, Path) else env.pop("LOG"))
        self._log = log
        with log.open("a") as stderr:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "signoff_agents.serve", "serve", target, "--port", "0", "--state", str(state)],
                cwd=PACKAGE,
                env={**os.environ, "CREW_TOKEN": TOKEN, "PYTHONDONTWRITEBYTECODE": "1", **env},
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert ": http://" in line, self.log()
        threading.Thread(target=self._process.stdout.read, daemon=True).start()
        self.client = httpx.Client(
            base_url=line.split(": ", 1)[1].strip(), headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE_S
        )

    def ready(self) -> Service:
        """Waits until it has restored its runs, as clients do."""
        wait_until(lambda: self._process.poll() is not None or self._answers())
        assert self._process.poll() is None, self.log()
        return self

    def _answers(self) -> bool:
        try:
            return self.client.get("/inputs").status_code != 503
        except httpx.ConnectError:
            return False

    def kickoff(self, inputs: dict[str, Any], receiver: Receiver, path: str = "/ask", **more: Any) -> str:
        webhook = {"url": receiver.url(path), "authentication": {"strategy": "bearer", "token": "of-the-webhook"}}
        answer = self.client.post("/kickoff", json={"inputs": inputs, "humanInputWebhook": webhook, **more})
        assert answer.status_code == 200, answer.text
        run_id: str = answer.json()["kickoff_id"]
        return run_id

    def resume(self, asked: dict[str, Any], *, approve: bool, feedback: str = "", **more: Any) -> httpx.Response:
        decision = {"is_approve": approve, "human_feedback": feedback}
        ids = {"execution_id": asked["execution_id"], "task_id": asked["task_id"]}
        return self.client.post("/resume", json={**ids, **decision, **more})

    def status(self, run_id: str) -> dict[str, Any]:
        status: dict[str, Any] = self.client.get(f"/status/{run_id}").json()
        return status

    def ended(self, run_id: str) -> dict[str, Any]:
        wait_until(lambda: self.status(run_id).get("state") in ("SUCCESS", "FAILED"))
        return self.status(run_id)

    def exit_code(self) -> int:
        return self._process.wait(PATIENCE_S)

    def log(self) -> str:
        return self._log.read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self._process.send_signal(how)
        return self._process.wait(PATIENCE_S)


def wait_until(is_so: Any) -> None:
    changed = threading.Event()
    for _ in range(PATIENCE_S * 20):
        if is_so():
            return
        changed.wait(0.05)
    raise AssertionError("it did not become so")
