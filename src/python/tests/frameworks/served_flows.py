"""Flows of the real CrewAI that are served."""

# CrewAI reads annotations itself.
# mypy: disable-error-code="no-untyped-def, type-arg, misc"

import os
from pathlib import Path

from crewai.flow.flow import Flow, listen, router, start
from crewai.flow.human_feedback import human_feedback
from pydantic import BaseModel


def _worked(method: str) -> None:
    with Path(os.environ["MODEL_LOG"]).open("a") as log:
        log.write(f"{method}\n")


class State(BaseModel):
    topic: str = ""
    words: list[str] = []


class Letter(Flow[State]):
    """Writes until the letter is approved. A model that interprets an answer would publish what this test rejects."""

    @start()
    def collect(self):
        _worked("collect")
        self.state.words.append(f"about {self.state.topic}")
        return "collected"

    @listen("collect")
    def first(self):
        return self.write()

    @listen("again")
    def second(self):
        return self.write()

    def write(self):
        _worked("write")
        return " ".join(self.state.words)

    @router(first)
    def to_review(self):
        return "review"

    @router(second)
    def to_review_again(self):
        return "review"

    @listen("review")
    @human_feedback(message="Publish this letter?", emit=["rejected", "approved"])
    def decide(self):
        return " ".join(self.state.words)

    @listen("rejected")
    def improve(self):
        self.state.words.append(self.last_human_feedback.feedback)

    @router(improve)
    def once_more(self):
        return "again"

    @listen("approved")
    def publish(self):
        _worked("publish")
        return f"published: {self.last_human_feedback.output}"


class Unclear(Flow[State]):
    @start()
    @human_feedback(message="What now?", emit=["ship", "hold", "scrap"])
    def decide(self):
        return "the plan"


class Plain(Flow[State]):
    @start()
    @human_feedback(message="Is this good?")
    def decide(self):
        return {"amount": 40}

    @listen(decide)
    def done(self):
        return f"{self.last_human_feedback.feedback} {self.last_human_feedback.output['amount']}"
