"""Puts people in the loop of Python agents, through Signoff."""

from signoff_agents.answers import (
    Answer,
    AskRefused,
    AskTimeout,
    NotDecided,
    Person,
    SignoffError,
    SignoffUnreachable,
)
from signoff_agents.asks import Field, Signoff, ask, async_ask

__all__ = [
    "Answer",
    "AskRefused",
    "AskTimeout",
    "Field",
    "NotDecided",
    "Person",
    "Signoff",
    "SignoffError",
    "SignoffUnreachable",
    "ask",
    "async_ask",
]
