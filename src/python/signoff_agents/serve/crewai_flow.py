"""
Serves a flow of CrewAI whose methods ask people by `@human_feedback`. Before a person is asked, the flow's state is stored, so
that another process goes on from that question: no method that came before it works again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from crewai.events import MethodExecutionFinishedEvent, MethodExecutionStartedEvent, crewai_event_bus
from crewai.flow.async_feedback.types import PendingFeedbackContext
from crewai.flow.flow import Flow
from crewai.flow.flow_config import flow_config
from crewai.flow.persistence.base import FlowPersistence

from signoff_agents.answers import Answer, NotDecided
from signoff_agents.flows import feedback_of, resume_pending, shown, take_outcomes_of_people

from .crewai_crew import ask_for_any_task
from .programs import NotServable
from .records import Json
from .runs import Decision, Run, RunFailed

#: The words of an approval without a note, as clients send them.
BARE_APPROVALS = ("", "Approved.")


def is_flow(made: object) -> bool:
    return isinstance(made, Flow)


class FlowProgram:
    """A flow, which `make` returns anew for each run."""

    def __init__(self, make: Callable[[], Any], made: Any) -> None:
        self._make = make
        fields = getattr(type(made.state), "model_fields", {})
        self.inputs = [name for name in fields if name != "id"]
        self.required = [name for name in self.inputs if fields[name].is_required()]
        for method in vars(type(made)).values():
            config = getattr(method, "__human_feedback_config__", None)
            if config is not None and config.provider is None:
                outcomes_of(method.__name__, config.emit, config.metadata)
        # A method that names another provider keeps it.
        crewai_event_bus.register_handler(MethodExecutionStartedEvent, _tell_begun)
        crewai_event_bus.register_handler(MethodExecutionFinishedEvent, _tell_finished)
        flow_config.hitl_provider = _Provider()
        flow_config.input_provider = _NoInput()

    def run(self, inputs: dict[str, Json], run: Run) -> str:
        ask_for_any_task(run)
        try:
            pending = [each for each in run.memory().values() if each is not None]
            if len(pending) > 1:
                raise RunFailed(
                    "The flow waited for several answers at once when its process ended, and CrewAI can't go on with "
                    "that. Start it again."
                )
            if pending:
                return _text_of(self._resume(run, pending[0]))
            flow = self._make()
            flow.__dict__[_RUN] = run
            return _text_of(flow.kickoff(inputs=inputs))
        except NotDecided as error:
            raise RunFailed(str(error)) from error

    def _resume(self, run: Run, stored: Json) -> Any:
        """Goes on from the last question of a process that has ended."""
        try:
            flow = type(self._make()).from_pending(stored["context"]["flow_id"], _Stored(stored=stored))
        except TypeError as error:
            raise RunFailed(
                "The flow can't go on in another process, since its class can't be made without arguments. Start it again."
            ) from error
        flow.__dict__[_RUN] = run
        context = flow.pending_feedback
        question = _question_of(context)
        name = context.method_name
        decision = run.recall_last(name, question) or run.ask(name, name, question)
        if decision.approved:
            run.complete_task(name, decision.text, {"output": decision.text})
        return asyncio.run(resume_pending(flow, _answer(context, decision)))


_RUN = "_signoff_run"


class _Provider:
    """Asks the client of the run what a method of its flow asks."""

    def request_feedback(self, context: Any, flow: Any) -> str:
        run: Run = flow.__dict__[_RUN]
        take_outcomes_of_people(flow)
        outcomes_of(context.method_name, context.emit, context.metadata)
        name = context.method_name
        for other, stored in run.memory().items():
            # The state that is stored now has what was decided before.
            if other != name and stored is not None and not run.is_asking(other):
                run.remember(other, None)
        state = flow.state.model_dump(mode="json") if hasattr(flow.state, "model_dump") else dict(flow.state)
        run.remember(name, {"context": context.to_dict(), "state": state})
        decision = run.ask(name, name, _question_of(context))
        if decision.approved:
            run.complete_task(name, decision.text, {"output": decision.text})
        feedback: str = feedback_of(context, _answer(context, decision))
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


def _question_of(context: Any) -> str:
    head, output = shown(context)
    return head + output or str(context.message)


def _answer(context: Any, decision: Decision) -> Answer:
    """The decision as an answer that chose one of the outcomes."""
    approves, rejects = outcomes_of(context.method_name, context.emit, context.metadata)
    edited = decision.text if decision.text != decision.output else None
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
    told = {kind: (metadata or {}).get(kind) for kind in ("approve", "reject")}
    if {each.lower() for each in names} == {"approved", "rejected"}:
        plain = {each.lower(): each for each in names}
        told = {"approve": told["approve"] or plain["approved"], "reject": told["reject"] or plain["rejected"]}
    if len(names) == 1:
        told["approve"] = told["approve"] or names[0]
    wrong = [each for each in told.values() if each is not None and each not in names]
    if wrong or told["approve"] is None or (len(names) > 1 and told["reject"] is None):
        raise NotServable(
            f"The method {method} has the outcomes {', '.join(names)}, and people can only approve or reject here. Say which "
            'they mean, by @human_feedback(metadata={"approve": …, "reject": …}), or give it a SignoffProvider, which '
            "offers all of them."
        )
    return told["approve"], told["reject"]


def _text_of(result: Any) -> str:
    raw = getattr(result, "raw", result)
    if raw is None:
        return ""
    if hasattr(raw, "model_dump_json"):
        return str(raw.model_dump_json())
    return raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
