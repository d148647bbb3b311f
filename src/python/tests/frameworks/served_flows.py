"""Flows of the real CrewAI that are served."""

# CrewAI reads annotations itself.
# mypy: disable-error-code="no-untyped-def, type-arg, misc"

import os
import threading
from pathlib import Path

from crewai import Crew
from crewai.flow.flow import Flow, and_, listen, or_, router, start
from crewai.flow.human_feedback import human_feedback
from pydantic import BaseModel

from tests.frameworks.crews import agent, task


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


class Inherited(Unclear):
    @listen("ship")
    def end(self):
        return "shipped"


class Reviewed(Flow[State]):
    """Whoever signs may send it back to the lawyers, who then read the same text again."""

    @start()
    def write(self):
        _worked("write")
        return "contract"

    @listen(or_(write, "again"))
    @human_feedback(message="Legal?", emit=["sound", "unsound"], metadata={"approve": "sound", "reject": "unsound"})
    def lawyers(self):
        return "the contract"

    @listen("sound")
    @human_feedback(message="Sign?", emit=["signed", "back"], metadata={"approve": "signed", "reject": "back"})
    def sign(self):
        return "the signature"

    @router("back")
    def once_more(self):
        return "again"

    @listen("signed")
    def end(self):
        return "signed"


class Joined(Flow[State]):
    """What goes on after the question also waits for a method that has ended before."""

    @start()
    def count(self):
        _worked("count")

    @listen(count)
    @human_feedback(message="Is this good?")
    def decide(self):
        return "the plan"

    @listen(and_(count, decide))
    def end(self):
        return "both"


class Beside(Flow[State]):
    """Another method works while a person thinks."""

    @start()
    @human_feedback(message="Is this good?")
    def decide(self):
        return "the plan"

    @start()
    def count(self):
        _worked("count")
        threading.Event().wait()

    @listen(and_(count, decide))
    def end(self):
        return "both"


class Held:
    def __str__(self):
        return "held"


class Holding(Flow):
    """Its state holds what JSON can't."""

    @start()
    @human_feedback(message="Is this good?")
    def decide(self):
        self.state["held"] = Held()
        return "the plan"

    @listen(decide)
    def end(self):
        return str(self.state["held"])


def _crew(writer, name="draft"):
    by = agent(writer)
    return Crew(agents=[by], tasks=[task(name, by, human_input=True)])


class TwoCrews(Flow[State]):
    """Their tasks have one name, and ask at once."""

    @start()
    def left(self):
        return _crew("ann").kickoff(inputs={"topic": "tea"}).raw

    @start()
    def right(self):
        return _crew("ben").kickoff(inputs={"topic": "tea"}).raw

    @listen(and_(left, right))
    def end(self):
        return " and ".join(sorted(self.method_outputs))


class CrewsInTurn(Flow[State]):
    @start()
    async def write(self):
        written = [await _crew(writer).akickoff(inputs={"topic": "tea"}) for writer in ("ann", "ben")]
        return " and ".join(each.raw for each in written)


class Styled(Flow[State]):
    """Takes an argument, which its class alone doesn't know."""

    def __init__(self, style="plain", **more):
        super().__init__(**more)
        self.__dict__["style"] = style

    @start()
    @human_feedback(message="Good?", emit=["approved", "rejected"])
    def decide(self):
        return "tea"

    @listen("approved")
    def done(self):
        return f"{self.__dict__['style']} tea"


def styled():
    return Styled(style="fancy")
