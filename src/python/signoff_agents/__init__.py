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
from signoff_agents.callbacks import AnswerLater, InvalidSignature, callback_receiver, parse_callback

__all__ = [
    "Answer",
    "AnswerLater",
    "AskRefused",
    "AskTimeout",
    "Field",
    "InvalidSignature",
    "NotDecided",
    "Person",
    "Signoff",
    "SignoffError",
    "SignoffUnreachable",
    "ask",
    "async_ask",
    "callback_receiver",
    "parse_callback",
]
