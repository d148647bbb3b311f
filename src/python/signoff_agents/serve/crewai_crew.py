"""
Serves a crew of CrewAI. It is made anew for each run, since CrewAI's `Crew.copy` may give a task another agent where two have the
same role.

CrewAI knows no run that goes on in another process with its models, tools and callbacks. Here it does: a task that has ended
answers with what it put out, and a task that waits for a person goes on with the text that this person sees, without a call of
its model.
"""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import functools
import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from importlib.metadata import version
from typing import Any

from .programs import NotServable
from .records import Json
from .runs import Abandoned, Decision, Run

OLDEST = "1.14.3"

try:
    from crewai import Crew
    from crewai.core.providers.human_input import SyncHumanInputProvider, set_provider
    from crewai.events import ToolUsageErrorEvent, ToolUsageFinishedEvent, crewai_event_bus
    from crewai.tasks.task_output import TaskOutput
except ImportError as error:
    raise NotServable(
        f"CrewAI {version('crewai')} can't ask people except on a terminal. Install {OLDEST} or newer: "
        f"pip install --upgrade 'crewai>={OLDEST}'"
    ) from error

log = logging.getLogger("signoff_agents.serve")

# CrewAI fills in the same ones: crewai/utilities/string_utils.py.
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_\-]*)}")

LONGEST_LABEL = 100
MOST_ATTEMPTS_TO_MAKE = 6
LONGEST_STEP_TEXT = 500


def is_crew(made: object) -> bool:
    return isinstance(made, Crew)


class CrewProgram:
    """A crew, which `make` returns anew for each run."""

    def __init__(self, make: Callable[[], Any], made: Any) -> None:
        self._make = make
        self.inputs = _inputs_of(made)
        # Its own callbacks may fill in some.
        self.required = [] if made.before_kickoff_callbacks else self.inputs

    def run(self, inputs: dict[str, Json], run: Run) -> str:
        crew = make_again(self._make) if run.has_begun() else self._make()
        # Nobody here reads a stream, and its object has no result.
        crew.stream = False
        ids = {str(task.id): f"task-{number}" for number, task in enumerate(crew.tasks, 1)}
        labels = {ids[str(task.id)]: label_of(task) for task in crew.tasks}
        # The words of a task without a name may change, such as the date in them.
        run.begin(labels, {ids[str(task.id)]: task.name or "" for task in crew.tasks})
        tasks = _Tasks(run, ids)
        for task in crew.tasks:
            tasks.watch(task)
        with _telling_steps(run, ids):
            set_provider(tasks.provider)
            return str(crew.kickoff(inputs=inputs).raw)


def make_again(make: Callable[[], Any]) -> Any:
    """Makes a crew or a flow for a run that goes on. Trouble that passes must not end a run in which people have decided."""
    for attempt in range(1, MOST_ATTEMPTS_TO_MAKE):
        try:
            return make()
        except Exception:
            log.exception("The crew can't be made right now; this is tried again")
            time.sleep(2**attempt)
    return make()


def label_of(task: Any) -> str:
    """The name that people read: the task's own, or how its description begins."""
    return _cut(str(task.name or next(iter(str(task.description).strip().splitlines()), "") or "task"), LONGEST_LABEL)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _inputs_of(crew: Any) -> list[str]:
    texts = [text for task in crew.tasks for text in (task.description, task.expected_output, task.output_file)]
    agents = [*crew.agents, *(task.agent for task in crew.tasks if task.agent is not None)]
    texts += [text for agent in agents for text in (agent.role, agent.goal, agent.backstory)]
    return list(dict.fromkeys(name for text in texts for name in _PLACEHOLDER.findall(text or "")))


def ask_for_any_task(run: Run) -> None:
    """Crews that are made within a run, such as in the methods of a flow, ask the client of the run from here on."""
    set_provider(_Tasks(run, {}).provider)


class _Tasks:
    """The tasks of one run, told apart by CrewAI's own ids, which differ in each process."""

    def __init__(self, run: Run, ids: dict[str, str]) -> None:
        self._run = run
        self._ids = ids
        self._others: dict[tuple[str, str], str] = {}
        self._naming = threading.Lock()
        self.provider = Provider(run, self.id_of)

    def id_of(self, task: Any) -> str:
        """A task that the crew hasn't listed, such as one of a crew that a flow or a tool runs, goes by its name."""
        if listed := self._ids.get(str(task.id)):
            return listed
        label = label_of(task)
        if not task.human_input:
            return f"other-{label}"
        # A crew may be run again with other inputs, so its task isn't known by its own id alone.
        words = json.dumps([getattr(task.agent, "role", None), task.description, task.expected_output])
        with self._naming:
            key = (str(task.id), words)
            if key not in self._others:
                self._others[key] = self._run.other_task(label, words)
            return self._others[key]

    def watch(self, task: Any) -> None:
        """Notes when the task begins and ends, and lets it end at once if it had ended before."""
        task_id = self._ids[str(task.id)]
        execute = task.execute_sync

        def execute_sync(agent: Any = None, context: str | None = None, tools: Any = None) -> Any:
            stored = self._run.output_of(task_id)
            if stored is not None:
                task.output = _restored(task, stored)
                return task.output
            self._run.start_task(task_id, label_of(task))
            worker = agent or task.agent
            if worker is not None:
                self._watch_agent(worker)
            output = execute(agent, context, tools)
            self._run.complete_task(task_id, _stored(output), _details(task, output))
            return output

        def execute_async(agent: Any = None, context: str | None = None, tools: Any = None) -> Any:
            future: Future[Any] = Future()
            call = functools.partial(execute_sync, agent, context, tools)
            context_of_run = contextvars.copy_context()
            threading.Thread(target=context_of_run.run, args=(_settle, future, call), daemon=True).start()
            return future

        # A crew is made of pydantic models, which refuse attributes that they don't declare.
        task.__dict__.update(execute_sync=execute_sync, execute_async=execute_async)

    def _watch_agent(self, agent: Any) -> None:
        if "execute_task" in agent.__dict__:
            return
        execute = agent.execute_task

        def execute_task(task: Any, context: str | None = None, tools: Any = None) -> Any:
            task_id = self._ids.get(str(task.id))
            approval = self._run.recall(task_id) if task_id is not None and task.human_input else None
            if approval is not None:
                return approval.text
            before = _AT_WORK.set((agent, task))
            try:
                return execute(task, context, tools)
            finally:
                _AT_WORK.reset(before)

        agent.__dict__.update(execute_task=execute_task)
        if hasattr(agent, "_execute_without_timeout"):
            agent.__dict__.update(_execute_with_timeout=functools.partial(self._execute_with_timeout, agent))

    def _execute_with_timeout(self, agent: Any, task_prompt: str, task: Any, timeout: int) -> Any:
        """As CrewAI does it, but the time in which a person thinks doesn't count."""
        task_id = self.id_of(task)
        attempt = _Attempt()
        future: Future[Any] = Future()
        call = functools.partial(agent._execute_without_timeout, task_prompt, task)

        def work() -> None:
            _ATTEMPT.set(attempt)
            _settle(future, call)

        threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True).start()
        begun, waited = time.monotonic(), self._run.waited(task_id)
        while not future.done():
            worked = time.monotonic() - begun - (self._run.waited(task_id) - waited)
            if worked >= timeout:
                attempt.is_over = True
                raise TimeoutError(f"The task ran out of its {timeout} seconds.")
            wait([future], timeout=min(timeout - worked + 0.001, 1.0))
        return future.result()


class _Attempt:
    """One call of an agent. Once it has run out of time, nothing may come of it any more."""

    is_over = False


#: The agent that works here, and its task. CrewAI's executor may name another one, since an agent has one for all of its tasks.
_AT_WORK: contextvars.ContextVar[tuple[Any, Any]] = contextvars.ContextVar("signoff_at_work", default=(None, None))

_ATTEMPT: contextvars.ContextVar[_Attempt | None] = contextvars.ContextVar("signoff_attempt", default=None)


def _settle(future: Future[Any], call: Callable[[], Any]) -> None:
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)


class Provider(SyncHumanInputProvider):  # type: ignore[misc]
    """Where CrewAI would ask on the terminal, this asks the client of the run."""

    def __init__(self, run: Run, id_of: Callable[[Any], str]) -> None:
        self._run = run
        self._id_of = id_of

    def post_setup_messages(self, context: Any) -> None:
        """
        A task that starts again, since its model or its process failed, knows what people rejected. The first task after an
        approval gets the note that came with it.
        """
        task = _task_of(context)
        if task is None:
            return
        task_id = self._id_of(task)
        for rejection in self._run.rejections(task_id) if task.human_input else []:
            _add_rejection(context, rejection)
        for label, note in self._run.notes_for(task_id):
            content = f"A person approved the output of “{label}” and wrote:\n{note}"
            context.messages.append({"role": "user", "content": content})

    def handle_feedback(self, formatted_answer: Any, context: Any) -> Any:
        while context.ask_for_human_input:
            decision = self._decide(formatted_answer, context)
            if decision.approved:
                return _approved(formatted_answer, decision, context)
            _add_rejection(context, decision)
            formatted_answer = context._invoke_loop()
        return formatted_answer

    async def handle_feedback_async(self, formatted_answer: Any, context: Any) -> Any:
        """The same for `Crew.akickoff`, which other tasks of its event loop go on beside."""
        while context.ask_for_human_input:
            decision = await asyncio.to_thread(self._decide, formatted_answer, context)
            if decision.approved:
                return _approved(formatted_answer, decision, context)
            _add_rejection(context, decision)
            formatted_answer = await context._ainvoke_loop()
        return formatted_answer

    def _decide(self, answer: Any, context: Any) -> Decision:
        attempt = _ATTEMPT.get()
        if attempt is not None and attempt.is_over:
            raise Abandoned
        task = _task_of(context)
        return self._run.ask(self._id_of(task), label_of(task), self._get_output_string(answer))


def _add_rejection(context: Any, rejection: Decision) -> None:
    """CrewAI alone adds the feedback without the text that it is about."""
    context.messages.append({"role": "assistant", "content": rejection.output})
    context.messages.append(context._format_feedback_message(rejection.feedback))


def _task_of(context: Any) -> Any:
    agent, task = _AT_WORK.get()
    return task if agent is context.agent else context.task


def _approved(answer: Any, decision: Decision, context: Any) -> Any:
    """The answer itself, which may be more than its text, unless the person edited it."""
    context.ask_for_human_input = False
    for result in context.agent.tools_results:
        # CrewAI would put what a tool with `result_as_answer` returned in the place of what the person approved.
        result["result_as_answer"] = False
    if decision.text == decision.output:
        return answer
    return dataclasses.replace(answer, output=decision.text, text=decision.text)


def _stored(output: Any) -> Json:
    structured = output.pydantic.model_dump(mode="json") if output.pydantic is not None else None
    plain = output.model_dump(mode="json", exclude={"pydantic", "messages"})
    return {"output": plain, "pydantic": structured}


def _restored(task: Any, stored: Json) -> Any:
    output = TaskOutput.model_validate(stored["output"])
    kind = task.output_pydantic or getattr(task, "response_model", None)
    if stored["pydantic"] is not None and kind is not None:
        output.pydantic = kind.model_validate(stored["pydantic"])
    return output


def _details(task: Any, output: Any) -> dict[str, Json]:
    return {
        "description": task.description,
        "expected_output": task.expected_output,
        "agent": output.agent,
        "output": output.raw,
    }


#: CrewAI has one bus for all crews of a process, whose events name their task.
_WATCHED_TASKS: dict[str, tuple[Run, str]] = {}


@contextmanager
def _telling_steps(run: Run, ids: dict[str, str]) -> Iterator[None]:
    """Meanwhile, the client of the run is told when an agent has used a tool."""
    _listen()
    _WATCHED_TASKS.update({own: (run, task_id) for own, task_id in ids.items()})
    try:
        yield
    finally:
        for own in ids:
            del _WATCHED_TASKS[own]


@functools.cache
def _listen() -> None:
    for kind in (ToolUsageFinishedEvent, ToolUsageErrorEvent):
        crewai_event_bus.register_handler(kind, _tell_step)


def _tell_step(_: object, event: Any) -> None:
    run, task_id = _WATCHED_TASKS.get(str(event.task_id), (None, ""))
    if run is None:
        return
    failed = isinstance(event, ToolUsageErrorEvent)
    result = "The tool failed." if failed else _cut(str(event.output), LONGEST_STEP_TEXT)
    tool_input = _cut(str(event.tool_args), LONGEST_STEP_TEXT)
    run.step(task_id, {"agent": event.agent_role, "tool": event.tool_name, "tool_input": tool_input, "result": result})
