"""What people answer, and the errors that stand for no answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast, get_args

Status = Literal["waiting", "decided", "expired", "cancelled", "closed"]
Decision = Literal["approved", "rejected", "expired"]
Value = str | int | float | bool


@dataclass(frozen=True)
class Person:
    """A person in Slack."""

    id: str
    name: str


@dataclass(frozen=True)
class Answer:
    """How a question stands, and what people have decided.

    ``status`` is ``waiting``, ``decided``, ``expired`` (nobody decided in time), ``cancelled`` (the program took the
    question back) or ``closed`` (nobody can decide it any more). Everything from ``decision`` on is None until people
    have decided.
    """

    ref: str
    """Signoff's own name for the question."""
    status: Status
    id: str | None = None
    """The program's own name for the question."""
    url: str | None = None
    """Where people find the question in Slack. None in callbacks, and as long as it isn't posted."""
    decision: Decision | None = None
    outcome: str | None = None
    """The outcome that a person chose, word for word, where the question offered outcomes."""
    answer: Mapping[str, Value] | None = None
    """The values that people filled in, by the names of the fields, where the question had fields."""
    feedback: str | None = None
    """The comment that came with the decision. None if people approved with edits, which are in ``edited_text``."""
    edited_text: str | None = None
    """The whole text, where people have edited it and approved it with their edits."""
    by: Person | None = None
    """The person who completed the decision. None if nobody did."""
    decided_at: datetime | None = None

    @property
    def approved(self) -> bool:
        """Whether people have approved. No other answer counts as an approval, nor does a missing one."""
        return self.status == "decided" and self.decision == "approved"

    def __str__(self) -> str:
        """One sentence that can be shown to a person or to a model."""
        if self.status == "waiting":
            return "Nobody has decided yet."
        if self.status == "expired":
            return "Nobody decided in time."
        if self.status != "decided":
            return "The question was closed before anybody decided."
        who = self.by.name if self.by else "Somebody"
        choice = f' and chose "{self.outcome}"' if self.outcome else ""
        return f"{who} {self.decision}{choice}" + (f": {self.feedback}" if self.feedback else ".")


def answer_from_json(value: object) -> Answer:
    """Reads what Signoff answers, or the ``data`` of a callback. Raises ``ValueError`` for anything else."""
    if not isinstance(value, Mapping):
        raise ValueError("an answer is a JSON object")
    ref, decision = value.get("ref"), value.get("decision")
    if not isinstance(ref, str):
        raise ValueError("an answer has a ref")
    if decision is not None and decision not in get_args(Decision):
        raise ValueError("an answer has a decision that this version doesn't know")
    status = value.get("status")
    if status not in get_args(Status):
        raise ValueError("an answer has a status that this version doesn't know")
    if status == "decided" and decision is None:
        raise ValueError("an answer that is decided has a decision")
    feedback, edited = _text(value, "feedback"), _text(value, "edited_text")
    if feedback is not None and edited is not None and feedback.endswith(f"\n{edited}"):
        # Signoff repeats the text there, for programs that look at nothing else.
        feedback = None
    return Answer(
        ref=ref,
        status=cast(Status, status),
        id=_text(value, "id"),
        url=_text(value, "url"),
        decision=cast("Decision | None", decision),
        outcome=_text(value, "outcome"),
        answer=_values(value.get("answer")),
        feedback=feedback,
        edited_text=edited,
        by=_person(value.get("by")),
        decided_at=_instant(_text(value, "decided_at")),
    )


def _text(value: Mapping[str, object], name: str) -> str | None:
    text = value.get(name)
    if text is not None and not isinstance(text, str):
        raise ValueError(f"{name} of an answer is a text")
    return text


def _values(value: object) -> Mapping[str, Value] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not all(isinstance(each, Value) for each in value.values()):
        raise ValueError("answer is a map of texts and numbers")
    return dict(value)


def _person(value: object) -> Person | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ValueError("by is a person with id and name")
    person_id, name = value.get("id"), value.get("name")
    if not isinstance(person_id, str) or not isinstance(name, str):
        raise ValueError("by is a person with id and name")
    return Person(person_id, name)


def _instant(text: str | None) -> datetime | None:
    # Python 3.10 doesn't read the Z.
    return None if text is None else datetime.fromisoformat(re.sub("Z$", "+00:00", text))


class SignoffError(Exception):
    """The base of all errors of this package."""


class AskRefused(SignoffError):
    """Signoff refused a request for good: sending it again unchanged can't help."""

    def __init__(self, status: int, message: str, problems: tuple[str, ...] = (), answer: Answer | None = None) -> None:
        super().__init__(f"Signoff refused this ({status}): {message}")
        self.status = status
        """The HTTP status, such as 401 (the token), 409 (another question under this id) or 422 (a wrong field)."""
        self.message = message
        self.problems = problems
        """A sentence for each wrong field."""
        self.answer = answer
        """What people have decided already, where that is the reason."""


class SignoffUnreachable(SignoffError):
    """Signoff couldn't be reached for too long. Nobody knows whether the last request arrived."""


class AskTimeout(SignoffError):
    """Nobody decided within ``timeout``. The question goes on waiting, unless it was ``cancelled`` for that."""

    def __init__(self, answer: Answer, timeout: float, *, cancelled: bool) -> None:
        ends = "It was taken back." if cancelled else f'It goes on waiting: Signoff().wait("{answer.ref}").'
        super().__init__(f"Nobody decided within {timeout:g} seconds. {ends}")
        self.ref = answer.ref
        self.url = answer.url
        self.cancelled = cancelled


class NotDecided(SignoffError):
    """A program can't go on, because people have decided nothing that it has a way for."""

    def __init__(self, message: str, answer: Answer) -> None:
        super().__init__(message)
        self.answer = answer
