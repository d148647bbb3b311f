"""What tests of served crews and flows need."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.service import Receiver, Service

Start = Callable[..., Service]

#: pytest imports these tests also where CrewAI isn't installed, to leave them out.
IS_CREWAI_1_14 = find_spec("crewai") is not None and version("crewai").startswith("1.14.")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `signoff-crew` for a function or class below this folder."""
    services: list[Service] = []

    def start(name: str, target: str | None = None, **env: str) -> Service:
        quiet = {"OTEL_SDK_DISABLED": "true", "CREWAI_DISABLE_TELEMETRY": "true", "CREWAI_STORAGE_DIR": str(tmp_path)}
        log = {"MODEL_LOG": str(tmp_path / "model.log")}
        service = Service(target or f"tests.frameworks.{name}", tmp_path / "state", **quiet, **log, **env)
        services.append(service)
        return service.ready()

    yield start
    for service in services:
        service.stop(signal.SIGKILL)


def result_after_a_kill(start: Start, receiver: Receiver, name: str, **env: str) -> str:
    """The result of a run whose process is killed while a person thinks, who then approves. `env` is the next process' own."""
    service = start(name)
    run = service.kickoff({"topic": "tea"}, receiver)
    asked = receiver.nth("/ask", 1)
    service.stop(signal.SIGKILL)
    service = start(name, **env)
    service.resume(asked, approve=True)
    result: str = service.ended(run)["result"]
    return result
