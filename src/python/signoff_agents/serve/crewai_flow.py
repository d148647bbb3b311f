"""
Serves a flow of CrewAI whose methods ask people by `@human_feedback`. Before a person is asked, the flow's state is stored, so
that another process goes on from that question: no method that came before it works again.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from crewai.events import MethodExecutionFinishedEvent, MethodExecutionStartedEvent, crewai_event_bus
from crewai.flow.async_feedback.types import PendingFeedbackContext
from crewai.flow.flow import Flow
from crewai.flow.flow_config import flow_config
from crewai.flow.human_feedback import HumanFeedbackResult
from crewai.flow.persistence.base import FlowPersistence
from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from signoff_agents.answers import Answer, NotDecided
from signoff_agents.flows import feedback_of, resume_pending, shown, take_outcomes_of_people

from .crewai_crew import ask_for_any_task, make_again
from .programs import NotServable
from .records import Json
from .runs import Decision, Run, RunFailed

log = logging.getLogger("signoff_agents.serve")

OLDEST_FOR_FLOWS = (1, 15)

#: The words of an approval without a note, as clients send them.
BARE_APPROVALS = ("", "Approved.")


def is_flow(made: object) -> bool:
    return isinstance(made, Flow)


class FlowProgram:
    """A flow, which `make` returns anew for each run."""

    def __init__(self, make: Callable[[], Any], made: Any) -> None:
        installed = version("crewai")
        if tuple(int(part) for part in installed.split(".")[:2]) < OLDEST_FOR_FLOWS:
            # It forgets what a method with `and_` has heard, and asks on the terminal for crews that flows await.
            raise NotServable(f"CrewAI {installed} can't go on with a flow in another process. Install 1.15 or newer.")
        self._make = make
        fields = getattr(type(made.state), "model_fields", {})
        required = [name for name in fields if fields[name].is_required()]
        # A field that has a value needs none from people.
        fields = {name: field for name, field in fields.items() if name in required or field.default in ("", None)}
        self.inputs = [name for name in fields if name != "id" and (name in required or _is_typed(fields[name]))]
        self.required = [name for name in self.inputs if name in required]
        for name in dir(type(made)):
            config = getattr(getattr(type(made), name, None), "__human_feedback_config__", None)
            if config is not None and config.provider is None:
                outcomes_of(name, config.emit, config.metadata)
        # A method that names another provider keeps it.
        crewai_event_bus.register_handler(MethodExecutionStartedEvent, _tell_begun)
        crewai_event_bus.register_handler(MethodExecutionFinishedEvent, _tell_finished)
        flow_config.hitl_provider = _Provider()
        flow_config.input_provider = _NoInput()

    def run(self, inputs: dict[str, Json], run: Run) -> str:
        try:
            pending = [each for each in run.memory().values() if each is not None]
            if len(pending) > 1 or any(each["is_beside"] for each in pending):
                raise RunFailed(
                    "The flow worked on several methods at once when its process ended, and CrewAI can't go on with that. "
                    "Start it again."
                )
            if pending:
                return _text_of(self._resume(run, pending[0]))
            ask_for_any_task(run)
            flow = self._make()
            _watch(flow, run)
            return _text_of(flow.kickoff(inputs=inputs))
        except NotDecided as error:
            raise RunFailed(str(error)) from error

    def _resume(self, run: Run, stored: Json) -> Any:
        """Goes on from the last question of a process that has ended."""
        if stored["state"] is None:
            raise RunFailed(
                "The flow can't go on in another process, since its state holds something that JSON has no word for. "
                "Start it again."
            )
        made = make_again(self._make)

        def take(persistence: Any, **_: Any) -> Any:
            made.persistence = persistence
            return made

        # CrewAI would make the flow from its class alone, without the arguments that `make` gives it.
        from_pending: Any = type(made).from_pending
        flow = from_pending.__func__(take, stored["context"]["flow_id"], _Stored(stored=stored))
        _give_progress(flow, stored["progress"])
        run.go_past(stored["asked"])
        ask_for_any_task(run)
        _watch(flow, run)
        return asyncio.run(resume_pending(flow, _ask(run, flow.pending_feedback)))


_RUN = "_signoff_run"
_WORKING = "_signoff_working"


def _watch(flow: Any, run: Run) -> None:
    """Notes which methods work at the same time."""
    working: list[str] = []
    execute = flow._execute_method

    async def execute_method(method_name: str, *args: Any, **kwargs: Any) -> Any:
        working.append(method_name)
        try:
            if len(working) > 1:
                await asyncio.to_thread(_note_beside, run)
            return await execute(method_name, *args, **kwargs)
        finally:
            working.remove(method_name)

    # A flow is a model of pydantic, which takes no attributes that it doesn't know.
    flow.__dict__.update({_RUN: run, _WORKING: working, "_execute_method": execute_method})


def _note_beside(run: Run) -> None:
    """A question waits, and a method begins beside it."""
    for name, stored in run.memory().items():
        if stored is not None and not stored["is_beside"] and run.is_asking(name):
            run.remember(name, {**stored, "is_beside": True})


def _is_typed(field: Any) -> bool:
    """Whether people can type a value. They can't type lists and objects, which flows keep in their state for themselves."""
    try:
        schema = TypeAdapter(field.annotation).json_schema()
    except PydanticUserError:
        return False
    named = schema.get("$defs", {})
    kinds = [
        named.get(each.get("$ref", "").rpartition("/")[2], each).get("type") for each in schema.get("anyOf", [schema])
    ]
    return any(kind not in ("array", "object", "null") for kind in kinds)


#: CrewAI's own notes about the methods that have ended, which it needs for `and_` and `or_`.
_PROGRESS = ("_pending_events", "_pending_and_listeners", "_fired_or_listeners", "_completed_methods")


def _progress_of(flow: Any) -> Json:
    kept = {name: getattr(flow, name, None) for name in _PROGRESS}
    return {
        name: {key: sorted(names) for key, names in held.items()} if isinstance(held, dict) else sorted(held)
        for name, held in kept.items()
        if held is not None
    }


def _give_progress(flow: Any, progress: Json) -> None:
    for name, held in progress.items():
        if hasattr(flow, name):
            is_dict = isinstance(held, dict)
            setattr(flow, name, {key: set(names) for key, names in held.items()} if is_dict else set(held))


def _state_of(flow: Any) -> Json:
    """The state of the flow as JSON. None if another process wouldn't get the same state from it."""
    state = flow.state
    try:
        if not hasattr(state, "model_dump"):
            plain = dict(state)
            return plain if json.loads(json.dumps(plain)) == plain else None
        plain = state.model_dump(mode="json")
        return plain if type(state).model_validate(plain).model_dump() == state.model_dump() else None
    except Exception:
        return None


class _Provider:
    """Asks the client of the run what a method of its flow asks."""

    def request_feedback(self, context: Any, flow: Any) -> str:
        run: Run = flow.__dict__[_RUN]
        take_outcomes_of_people(flow)
        name = context.method_name
        # The state that is stored now has what was decided before.
        working = flow.__dict__[_WORKING]
        decided: dict[str, Json] = {each: None for each in run.memory() if each != name and not run.is_asking(each)}
        state = _state_of(flow)
        if state is None:
            log.warning("%s: the state of the flow can't be stored, so it can't go on in another process", run.id)
        stored = {
            "context": context.to_dict(),
            "state": state,
            "progress": _progress_of(flow),
            "asked": run.question_counts(),
        }

        def memory() -> dict[str, Json]:
            # A method that begins later finds the question stored.
            return {**decided, name: {**stored, "is_beside": len(working) > 1}}

        feedback: str = feedback_of(context, _ask(run, context, memory))
        return feedback


def _tell_begun(flow: Any, event: Any) -> None:
    run: Run | None = flow.__dict__.get(_RUN)
    if run is not None:
        run.start_task(event.method_name, event.method_name)


def _tell_finished(flow: Any, event: Any) -> None:
    """One that asks is told as completed once its output is approved."""
    run: Run | None = flow.__dict__.get(_RUN)
    asks = getattr(getattr(type(flow), event.method_name, None), "__human_feedback_config__", None) is not None
    if run is not None and not asks:
        run.complete_task(event.method_name, True, {"output": _text_of(event.result)})


class _NoInput:
    """CrewAI would ask on the terminal of the service, where nobody is."""

    def request_input(self, message: str, flow: Any, metadata: Any = None) -> str:
        raise RunFailed("Flow.ask() wants a text, which nobody can give here. Give the flow a SignoffProvider for it.")


class _Stored(FlowPersistence):  # type: ignore[misc]
    """Holds what one run stored, for CrewAI to read."""

    persistence_type: str = "signoff"
    stored: dict[str, Any]

    def init_db(self) -> None: ...

    def save_state(self, flow_uuid: str, method_name: str, state_data: Any) -> None: ...

    def load_state(self, flow_uuid: str) -> Any:
        return self.stored["state"]

    def load_pending_feedback(self, flow_uuid: str) -> Any:
        return self.stored["state"], PendingFeedbackContext.from_dict(self.stored["context"])


def _ask(run: Run, context: Any, memory: Callable[[], dict[str, Json]] = dict) -> Answer:
    """Asks what a method of the flow asks. The method ends with an approval."""
    name = context.method_name
    head = _head_of(context)
    decision = run.ask(name, name, head + shown(context)[1], memory)
    if decision.approved:
        text = decision.text.removeprefix(head)
        run.complete_task(name, text, {"output": text})
    return _answer(context, decision)


def _head_of(context: Any) -> str:
    """The question, above what it is about, and what the two answers mean."""
    approves, rejects = outcomes_of(context.method_name, context.emit, context.metadata)
    meaning = f" (Approve: {approves}. Reject: {rejects}.)" if approves and rejects else ""
    return f"{str(context.message).strip()}{meaning}\n\n"


def _answer(context: Any, decision: Decision) -> Answer:
    """The decision as an answer that chose one of the outcomes."""
    approves, rejects = outcomes_of(context.method_name, context.emit, context.metadata)
    edited = None
    if decision.text != decision.output:
        # People may have taken the question away from above the text.
        head, _ = shown(context)
        edited = head + decision.text.removeprefix(_head_of(context))
    is_bare = edited is not None or (decision.approved and decision.feedback.strip() in BARE_APPROVALS)
    return Answer(
        ref="",
        status="decided",
        decision="approved" if decision.approved else "rejected",
        outcome=approves if decision.approved else rejects,
        feedback=None if is_bare else decision.feedback,
        edited_text=edited,
    )


def outcomes_of(method: str, emit: Any, metadata: Any) -> tuple[str | None, str | None]:
    """
    The outcomes that an approval and a rejection stand for. They are never guessed: two outcomes that are called approved and
    rejected say it themselves, and others say it by `metadata={"approve": …, "reject": …}`.
    """
    names = list(emit or ())
    if not names:
        return None, None
    given = metadata or {}
    approves, rejects = given.get("approve"), given.get("reject")
    plain = {each.lower(): each for each in names}
    if plain.keys() == {"approved", "rejected"}:
        approves, rejects = approves or plain["approved"], rejects or plain["rejected"]
    if len(names) == 1:
        approves = approves or names[0]
    wrong = [each for each in (approves, rejects) if each is not None and each not in names]
    if wrong:
        raise NotServable(f"The method {method} has no outcome {wrong[0]!r}: it has {', '.join(names)}.")
    if approves is None or (len(names) > 1 and rejects is None):
        raise NotServable(
            f"The method {method} has the outcomes {', '.join(names)}, and people can only approve or reject here. Say which "
            'they mean, by @human_feedback(metadata={"approve": …, "reject": …}), or give it a SignoffProvider, which '
            "offers all of them."
        )
    return approves, rejects


def _text_of(result: Any) -> str:
    if isinstance(result, HumanFeedbackResult):
        return _text_of(result.output)
    raw = getattr(result, "raw", result)
    if raw is None:
        return ""
    if hasattr(raw, "model_dump_json"):
        return str(raw.model_dump_json())
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
