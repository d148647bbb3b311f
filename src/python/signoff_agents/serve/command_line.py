"""The program `signoff-crew`."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import socket
import sys
import threading

try:
    import uvicorn

    from .app import create_app
except ImportError as error:
    sys.exit(f"signoff-crew needs the package {error.name}: install signoff-agents with its extra `serve` or `crewai`.")

from .programs import NotServable, load_program
from .runs import Runs
from .stores import open_store

log = logging.getLogger("signoff_agents.serve")

STOP_WITHIN_S = 5


def main(arguments: list[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    tokens = [token.strip() for token in os.environ.get("CREW_TOKEN", "").split(",") if token.strip()]
    if not tokens:
        sys.exit("Set CREW_TOKEN: the bearer token that clients have to show. Several are separated by commas.")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    # It would log the addresses of webhooks, which hold secrets.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    serve(options.target, tokens, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="signoff-crew", description="Serves crews and flows to Signoff.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("serve", help="serve one crew or flow over HTTP")
    command.add_argument("target", metavar="MODULE:FUNCTION", help="makes the crew, anew for each run")
    command.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: %(default)s)")
    command.add_argument("--port", type=int, default=4200, help="0 takes a free one (default: %(default)s)")
    command.add_argument(
        "--state",
        default=os.environ.get("CREW_STATE") or "signoff-crew.db",
        help="where runs are kept: a file, or redis://… (default: what CREW_STATE says, else signoff-crew.db)",
    )
    command.add_argument("--name", help="keeps crews apart in one Redis (default: MODULE:FUNCTION)")
    command.add_argument(
        "--keep-days", type=_days, default=30, help="how long runs are kept after their end (default: %(default)s)"
    )
    return parser


def _days(text: str) -> float:
    days = float(text)
    if not 0 <= days < 100_000:
        raise ValueError
    return days


def serve(target: str, tokens: list[str], options: argparse.Namespace) -> None:
    """Serves until SIGTERM or SIGINT. Exits with 1 if the crew can't be served."""

    def on_lost() -> None:
        log.error("Another process may work with these runs by now, so this one stops.")
        os._exit(1)

    try:
        store = open_store(options.state, options.name or target, on_lost)
    except Exception as error:
        # The address may hold a password.
        sys.exit(f"The state can't be opened ({type(error).__name__}): check --state and CREW_STATE.")
    try:
        family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
        listener = socket.create_server((options.host, options.port), family=family)
    except OSError:
        sys.exit(f"Port {options.port} of {options.host} is taken or can't be used: choose another with --port.")
    runs = Runs(store, keep_days=options.keep_days)
    config = uvicorn.Config(
        create_app(runs, tokens),
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_WITHIN_S,
    )
    server = _Server(config)
    failed = threading.Event()

    def start() -> None:
        # Importing a crew takes seconds. Meanwhile, requests are answered with 503, so that clients send them again.
        try:
            runs.restore(load_program(target))
            log.info("Serves %s", target)
        except NotServable as error:
            print(error, file=sys.stderr)
        except BaseException:
            log.exception("%s can't be served", target)
        else:
            return
        failed.set()
        server.should_exit = True

    threading.Thread(target=start, daemon=True).start()
    host, port = listener.getsockname()[:2]
    print(f"{target}: http://{f'[{host}]' if family == socket.AF_INET6 else host}:{port}", flush=True)
    try:
        server.run(sockets=[listener])
    finally:
        runs.close()
    sys.stderr.flush()
    # Runs work on in their threads until here. What they have stored is where the next process goes on.
    os._exit(1 if failed.is_set() or not server.started else 0)


class _Server(uvicorn.Server):
    def handle_exit(self, sig: int, frame: object) -> None:
        if self.should_exit:
            os._exit(128 + signal.Signals(sig).value)
        self.should_exit = True


if __name__ == "__main__":
    main()
