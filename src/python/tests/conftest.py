"""What all tests share: a bot that answers as the contract of `/asks` says, and a program's access to it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from signoff_agents import Signoff
from tests.contract_server import POLICY, TOKEN, Bot, serve

# CrewAI reads them when it is imported.
os.environ.update(CREWAI_TRACING_ENABLED="false", OTEL_SDK_DISABLED="true", CREWAI_DISABLE_TELEMETRY="true")


@pytest.fixture
def bot() -> Iterator[Bot]:
    with serve() as bot:
        yield bot


@pytest.fixture
def signoff(bot: Bot) -> Signoff:
    return Signoff(bot.url, TOKEN, POLICY)


@pytest.fixture
def environment(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIGNOFF_URL", bot.url)
    monkeypatch.setenv("SIGNOFF_ASK_TOKEN", TOKEN)
    monkeypatch.setenv("SIGNOFF_POLICY", POLICY)
