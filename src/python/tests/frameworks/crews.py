"""Crews of the real CrewAI with a model that answers by a rule."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from crewai import Agent, BaseLLM, Crew, Task
from crewai.tools import BaseTool, tool

_LOCK = threading.Lock()


class RuleModel(BaseLLM):
    """
    Writes `DRAFT` of what it is asked, and adds each feedback that it reads. Everything that it is told is appended to the file
    MODEL_LOG.
    """

    writer: str = "writer"

    def __init__(self, writer: str) -> None:
        super().__init__(model="rule")
        self.writer = writer

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        told = [messages] if isinstance(messages, str) else [str(each.get("content")) for each in messages]
        with _LOCK, Path(os.environ["MODEL_LOG"]).open("a") as log:
            log.write(json.dumps({"writer": self.writer, "told": told}) + "\n")
        whole = "\n".join(told)
        if fails_once := os.environ.get("FAIL_ONCE"):
            flag = Path(fails_once)
            if flag.exists() and "Feedback:" in whole:
                flag.unlink()
                raise ConnectionError("the model is away: api_key=secret-of-the-model")
        if self.writer == "researcher" and "a drink" not in whole:
            return 'Thought: I look it up.\nAction: look_up\nAction Input: {"word": "tea"}'
        added = [each for each in ("oolong", "matcha", "sencha") if each in whole]
        return f"Thought: done\nFinal Answer: {self.writer} writes about tea" + "".join(f", {each}" for each in added)

    def supports_function_calling(self) -> bool:
        return False


def agent(writer: str, **more: Any) -> Agent:
    return Agent(role=writer, goal="Write {topic}", backstory="You write.", llm=RuleModel(writer), **more)


def task(name: str, by: Agent, **more: Any) -> Task:
    return Task(name=name, description=f"Write the {name} about {{topic}}.", expected_output="Text", agent=by, **more)


def one() -> Crew:
    writer = agent("ann")
    return Crew(agents=[writer], tasks=[task("draft", writer, human_input=True)], stream=True)


def two_at_once() -> Crew:
    ann, ben, cleo = agent("ann"), agent("ben"), agent("cleo")
    parallel = [task(each, by, human_input=True, async_execution=True) for each, by in (("left", ann), ("right", ben))]
    both = task("both", cleo, context=parallel)
    return Crew(agents=[ann, ben, cleo], tasks=[*parallel, both])


def same_role() -> Crew:
    """Two agents of the same role, two tasks with the same words: `Crew.copy` mixes them up."""
    first, second = agent("ann"), agent("ann")
    first.llm, second.llm = RuleModel("first"), RuleModel("second")
    tasks = [Task(name=None, description="Write.", expected_output="Text", agent=each) for each in (first, second)]
    return Crew(agents=[first], tasks=tasks)


def chain() -> Crew:
    ann, ben = agent("ann"), agent("ben")
    return Crew(agents=[ann, ben], tasks=[task("draft", ann, human_input=True), task("letter", ben, human_input=True)])


def impatient() -> Crew:
    writer = agent("ann", max_execution_time=2)
    return Crew(agents=[writer], tasks=[task("draft", writer, human_input=True)])


def guarded() -> Crew:
    """Refuses the first text whatever it is, and stamps the second."""
    refused: list[str] = []

    def guardrail(output):  # type: ignore[no-untyped-def]  # CrewAI reads the annotations itself
        if not refused:
            refused.append(output.raw)
            return (False, "Not yet.")
        return (True, f"{output.raw} (stamped)")

    writer = agent("ann")
    return Crew(agents=[writer], tasks=[task("draft", writer, human_input=True, guardrail=guardrail)])


@tool("look_up")
def look_up(word: str) -> str:
    """Looks a word up."""
    return f"{word} is a drink"


def researching() -> Crew:
    researcher = agent("researcher", tools=[look_up])
    return Crew(agents=[researcher], tasks=[task("draft", researcher, human_input=True)])


def dated() -> Crew:
    """Its task has no name and other words each time. Once it was made, the file CREW_AWAY makes it fail one time."""
    away = Path(os.environ.get("CREW_AWAY", "/nonexistent"))
    if threading.current_thread() is not threading.main_thread() and _LOADED and away.exists():
        away.unlink()
        raise ConnectionError("the store of prompts is away")
    _LOADED.append(True)
    writer = agent("ann")
    words = f"It is {time.time()}. Write about {{topic}}."
    return Crew(
        agents=[writer], tasks=[Task(description=words, expected_output="Text", agent=writer, human_input=True)]
    )


_LOADED: list[bool] = []


def broken() -> Crew:
    def explode(_: Any) -> None:
        raise ValueError("postgres://user:secret-of-the-database@db")

    writer = agent("ann")
    return Crew(agents=[writer], tasks=[task("draft", writer, callback=explode)])


class Saying(BaseLLM):
    """Says the same each time, until it is told to write less."""

    says: str = ""

    def __init__(self, says: str) -> None:
        super().__init__(model="saying")
        self.says = says

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        return "Thought: done\nFinal Answer: less" if "Write less" in str(messages) else self.says

    def supports_function_calling(self) -> bool:
        return False


def says(text: str, **more: Any) -> Crew:
    writer = Agent(role="ann", goal="Write", backstory="You write.", llm=Saying(text), **more)
    return Crew(agents=[writer], tasks=[task("draft", writer, human_input=True)])


class Lookup(BaseTool):
    name: str = "lookup"
    description: str = "Looks it up."

    def _run(self, about: str = "") -> str:
        return f"all about {about}"


def tool_answers() -> Crew:
    """The answer of the tool is the answer of the task."""
    return says('Thought: look\nAction: lookup\nAction Input: {"about": "tea"}', tools=[Lookup(result_as_answer=True)])


def half_character() -> Crew:
    return says("Thought: done\nFinal Answer: tea \ud83c")


class Naming(Saying):
    """Says which of two tasks it is told to work at."""

    def call(self, messages: Any, *_: Any, **__: Any) -> str:
        return f"Thought: done\nFinal Answer: {'left' if 'Write the left' in str(messages) else 'right'}"


def one_agent_at_two_tasks() -> Crew:
    """CrewAI can't do that at once, and says so once the first task has ended."""
    ann, cleo = agent("ann"), agent("cleo")
    ann.llm = Naming("")
    both = [task(each, ann, human_input=True, async_execution=True) for each in ("left", "right")]
    return Crew(agents=[ann, cleo], tasks=[*both, task("end", cleo)])
