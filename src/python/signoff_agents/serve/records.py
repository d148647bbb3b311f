"""What a run is, as it is stored: plain data, written to JSON and read back word for word."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Json = Any
"""What `json` reads and writes: None, bool, int, float, str, lists and dicts of them."""


def encoded(value: Json) -> bytes:
    """
    As JSON in UTF-8. Half a character, such as a model that is cut off may leave at the end of a text, becomes U+FFFD.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


@dataclass(frozen=True)
class Address:
    """Where a notification goes."""

    url: str
    #: The whole `Authorization` header, or None to send none.
    authorization: str | None = None


@dataclass
class Addresses:
    """The webhook addresses of a run. A missing address means that nobody wants that notification."""

    human_input: Address | None = None
    task: Address | None = None
    step: Address | None = None
    crew: Address | None = None


@dataclass
class Question:
    """One output of a task that a person decides about."""

    text: str
    #: `closed`: the run went on without a decision, so none is taken any more.
    status: Literal["open", "approved", "rejected", "closed"] = "open"
    feedback: str = ""
    #: The task that received the note of an approval as context. It gets the note again if it starts again.
    note_for: str | None = None


@dataclass
class TaskRecord:
    """A task of a run, with everything it has asked."""

    label: str
    questions: list[Question] = field(default_factory=list)
    #: The address that the last resume of this task gave for its next question. None: the run's own address.
    human_input: Address | None = None
    #: What the task put out, in the program's own format; None until it has ended.
    output: Json = None
    #: Tells apart the tasks that the run didn't begin with.
    words: str | None = None

    def is_asking(self) -> bool:
        return any(question.status == "open" for question in self.questions)


@dataclass
class Notification:
    """A webhook call that is still owed."""

    #: 0 for a step, which isn't stored.
    id: int
    event: Literal["human_input", "task", "step", "crew"]
    address: Address
    body: dict[str, Json]
    #: What a notification of `human_input` asks: the task, and the position among its questions.
    question: tuple[str, int] | None = None


@dataclass
class Outcome:
    """How a run ended."""

    status: Literal["completed", "failed"]
    #: The result of a completed run, or one sentence that says why a run failed.
    text: str


@dataclass
class RunRecord:
    """One execution: everything that it takes to go on with it in another process."""

    id: str
    inputs: dict[str, Json]
    addresses: Addresses
    #: Hashes of the keys by which the kickoff may be repeated, and of the kickoff.
    kickoff_keys: list[str] = field(default_factory=list)
    kickoff_digest: str = ""
    #: What the run began with, by the ids of its tasks. None until it has begun.
    plan: dict[str, str] | None = None
    #: The tasks in the order in which they were first seen, by the ids that clients know them by.
    tasks: dict[str, TaskRecord] = field(default_factory=dict)
    #: What the program keeps for the next process, by names of its own.
    memory: dict[str, Json] = field(default_factory=dict)
    current_task: str | None = None
    outcome: Outcome | None = None
    #: Notifications in the order in which they are sent.
    outbox: list[Notification] = field(default_factory=list)
    last_notification: int = 0

    def to_json(self) -> dict[str, Json]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Json]) -> RunRecord:
        return RunRecord(
            **{
                **data,
                "addresses": Addresses(**{event: _address(given) for event, given in data["addresses"].items()}),
                "tasks": {task_id: _task(given) for task_id, given in data["tasks"].items()},
                "outcome": None if data["outcome"] is None else Outcome(**data["outcome"]),
                "outbox": [_notification(each) for each in data["outbox"]],
            }
        )


def _address(data: dict[str, Json] | None) -> Address | None:
    return None if data is None else Address(**data)


def _notification(data: dict[str, Json]) -> Notification:
    question = None if data["question"] is None else tuple(data["question"])
    return Notification(**{**data, "address": Address(**data["address"]), "question": question})


def _task(data: dict[str, Json]) -> TaskRecord:
    questions = [Question(**each) for each in data["questions"]]
    return TaskRecord(**{**data, "questions": questions, "human_input": _address(data["human_input"])})
