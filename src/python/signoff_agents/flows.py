"""Puts people in the loop of CrewAI's flows.

A flow that waits for people in its own process::

    @start()
    @human_feedback(message="Publish this?", emit=["publish", "revise"], provider=SignoffProvider())
    def draft(self): ...

A flow that ends its process meanwhile has ``SignoffProvider(pause=True, callback=URL)``, and goes on where the callback
arrives: ``callback_receiver(key, lambda answer: resume_flow_in_background(ReviewFlow, answer))``.

The outcome that a person chose is the one that the flow takes, word for word. No model reads the answer: the ``llm`` of
``@human_feedback`` is never called for that, and from CrewAI 1.15 on it may be left out.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import inspect
import json
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from importlib.metadata import version
from types import MethodType
from typing import Any
from urllib.parse import quote, unquote

from crewai.flow.async_feedback.types import HumanFeedbackPending
from crewai.flow.flow_context import current_flow_method_name
from crewai.flow.input_provider import InputResponse

from signoff_agents.answers import Answer, NotDecided, SignoffError
from signoff_agents.asks import Field, Question, Signoff
from signoff_agents.callbacks import AnswerLater
from signoff_agents.running import is_in_loop, run_here

__all__ = ["SignoffProvider", "UnsupportedCrewAI", "async_resume_flow", "resume_flow", "resume_flow_in_background"]

log = logging.getLogger("signoff_agents")


class UnsupportedCrewAI(SignoffError):
    """This version of CrewAI has no known place for an outcome that a person chose: a model would interpret it."""


class SignoffProvider:
    """Asks people through Signoff whatever a flow asks: by ``@human_feedback``, and by ``Flow.ask()``.

    Give it to a method (``@human_feedback(provider=…)``), or to all flows (``flow_config.hitl_provider = …``), and for
    ``Flow.ask()`` to a flow's ``input_provider`` or to ``flow_config.input_provider``.

    **Outcomes.** People choose from ``emit``. A single outcome is a button beside *Reject…*. Without ``emit`` people
    approve or reject, and the flow's ``feedback`` is ``Approved.``, followed by their comment, or what should change.
    With ``free_text`` they type a text instead, which becomes the ``feedback``. Otherwise ``feedback`` is the comment
    that came with the outcome; without one, the outcome.

    **No outcome.** If nobody decides in time or the question is closed, the flow takes ``default_outcome``. Without
    one, and if people reject where no outcome stands for that, :class:`NotDecided` is raised.

    **Edits.** If people approve with edits, the ``output`` of the flow's result is the edited one.

    **Rounds.** What one method of one flow asks stands in one thread, as rounds.

    **Restarts.** A flow that starts again with the same id (``kickoff(inputs={"id": …})``) and asks the same again
    goes on waiting for the same question. What was decided before it asked is asked again: CrewAI doesn't say whether
    that flow has had the answer already, and an old approval must not approve a new run. Name the run to have such
    answers taken: ``run="deploy-1.4"``, or ``run=lambda flow: flow.state["job"]``. It must be the same after a
    restart, and another one for each run.

    **Pausing.** With ``pause`` the flow ends at the question with ``HumanFeedbackPending``, of which
    ``callback_info`` holds ``ref``, ``id`` and ``url``. :func:`resume_flow` goes on with the answer: that of the
    ``callback``, or of ``Signoff().wait(ref)``. ``Flow.ask()`` can't pause.

    **Inputs.** ``@human_feedback(metadata={"inputs": {"amount": 40}})`` gives the rules what their conditions depend
    on.

    **Interrupts.** A question of a process that is interrupted goes on waiting, unless ``cancel_on_interrupt``. Until
    CrewAI 1.14, a method that isn't async holds its thread while it waits, so that only a second Ctrl-C ends it.
    """

    def __init__(
        self,
        signoff: Signoff | None = None,
        *,
        pause: bool = False,
        callback: str | None = None,
        free_text: bool = False,
        run: str | Callable[[Any], str] | None = None,
        expires_in: int | str | timedelta | None = None,
        channel: str | None = None,
        cancel_on_interrupt: bool = False,
    ) -> None:
        if callback is not None and not pause:
            raise ValueError("A callback is for a flow that pauses: SignoffProvider(pause=True, callback=…).")
        if run is not None and pause:
            raise ValueError("A flow that pauses needs no run: what it waits for is stored with it.")
        self._signoff = signoff
        self._pause = pause
        self._callback = callback
        self._free_text = free_text
        self._run = run
        self._expires_in = expires_in
        self._channel = channel
        self._cancel_on_interrupt = cancel_on_interrupt

    def request_feedback(self, context: Any, flow: Any) -> str | Coroutine[Any, Any, str]:
        """Asks people what a method of the flow asks. CrewAI calls this."""
        feedback = self._feedback(context, flow)
        # CrewAI 1.15 awaits the coroutine, so that no thread is blocked for days. Before that, only async methods did.
        return feedback if hasattr(flow, "_run_human_feedback_step") or is_in_loop() else run_here(feedback)

    def request_input(self, message: str, flow: Any, metadata: Mapping[str, Any] | None = None) -> Any:
        """Asks people for a text. CrewAI calls this for ``Flow.ask()``, which returns None if they give no answer."""
        method = current_flow_method_name.get("unknown")
        question = self._question(message, message, metadata, {"fields": [_TEXT_FIELD]})
        try:
            answer = run_here(self._answer(flow, f"{method}.ask", question))
        except Exception:
            # CrewAI makes it None without a word.
            log.exception("could not ask people for what Flow.ask() wants to know")
            raise
        given = (answer.answer or {}).get(_TEXT_FIELD["name"]) if answer.approved else None
        return InputResponse(text=None if given is None else str(given), metadata={"signoff": _record(answer)})

    async def _feedback(self, context: Any, flow: Any) -> str:
        take_outcomes_of_people(flow)
        head, output = shown(context)
        kind: Question = {}
        if context.emit:
            kind["outcomes"] = list(context.emit)
        elif self._free_text:
            kind["fields"] = [_TEXT_FIELD]
        question = self._question(context.message, head + output or context.message, context.metadata, kind)
        if not self._pause:
            answer = await self._answer(flow, context.method_name, question)
            feedback = feedback_of(context, answer)
            if feedback.has_edits and not _replaces_output(flow):
                raise _not_usable(answer, f"CrewAI {version('crewai')} can't replace an output, but 1.15.10 can")
            return feedback
        if self._callback is not None:
            question["callback"] = self._callback
        waiting = await self._open(flow, context.method_name, question)
        # CrewAI stores the context, by which a repeated answer is told from a new one.
        info = {"ref": waiting.ref, "id": waiting.id or question["id"], "url": waiting.url}
        context.metadata = {**(context.metadata or {}), "signoff": info}
        raise HumanFeedbackPending(context=context, callback_info=info)

    def _question(self, message: str, text: str, metadata: Mapping[str, Any] | None, kind: Question) -> dict[str, Any]:
        inputs = (metadata or {}).get("inputs")
        question = {"title": _title(message), "text": text, "inputs": inputs, **kind}
        given = {**question, "expires_in": self._expires_in, "channel": self._channel}
        return {name: value for name, value in given.items() if value is not None}

    async def _answer(self, flow: Any, method: str, question: dict[str, Any]) -> Answer:
        answer = await self._open(flow, method, question)
        if answer.status != "waiting":
            return answer
        try:
            return await self._client().async_wait(answer.ref)
        except BaseException as error:
            if self._cancel_on_interrupt and not isinstance(error, Exception):
                with suppress(SignoffError):
                    await asyncio.shield(self._client().async_cancel(answer.ref))
            raise

    async def _open(self, flow: Any, method: str, question: dict[str, Any]) -> Answer:
        """Asks, or finds what this run of the flow has asked before."""
        flow_id = str(flow.flow_id or "unknown")
        run = self._run(flow) if callable(self._run) else self._run
        name = _name_of(flow_id, method)
        # The id covers all of the question, so that a changed program asks anew instead of being refused.
        shape = json.dumps([run, question], sort_keys=True, default=str)
        digest = hashlib.sha256(shape.encode()).hexdigest()[:20]
        rounds = flow.__dict__.setdefault("_signoff_rounds", {})
        number = rounds.get((method, digest), 0)
        while True:
            question["id"], question["thread"] = f"{name}/{digest}/{number}", name
            answer, is_new = await self._client().async_open(**question)
            number += 1
            # Without a run, what was decided before is an answer of an earlier round, or of an earlier run.
            if is_new or answer.status == "waiting" or run is not None:
                break
        if run is not None:
            rounds[method, digest] = number
        return answer

    def _client(self) -> Signoff:
        # Providers are made where classes are, perhaps before there is an environment.
        if self._signoff is None:
            self._signoff = Signoff()
        return self._signoff


_TEXT_FIELD: Field = {"name": "answer", "label": "Your answer", "type": "long_text"}

_MOST_TITLE = 150
_MOST_FLOW_ID = 100
_MOST_METHOD = 60


def _title(message: str) -> str:
    line = next((" ".join(line.split()) for line in message.splitlines() if line.strip()), "Feedback")
    return line if len(line) <= _MOST_TITLE else f"{line[: _MOST_TITLE - 1].rstrip()}…"


def _name_of(flow_id: str, method: str) -> str:
    """Names a method of a flow, so that the flow's id can be read from the name. It has at most 170 characters."""
    quoted = quote(flow_id, safe="")
    if len(quoted) > _MOST_FLOW_ID:
        raise ValueError(
            f"The id of this flow is too long for a question: use one of at most {_MOST_FLOW_ID} characters."
        )
    if len(method) > _MOST_METHOD:
        method = f"{method[:40]}-{hashlib.sha256(method.encode()).hexdigest()[:16]}"
    return f"flow/{quoted}/{method}"


def _flow_id_in(answer: Answer) -> str:
    prefix, _, rest = (answer.id or "").partition("/")
    parts = rest.split("/")
    if prefix != "flow" or len(parts) != 4:
        raise ValueError("This isn't the answer to a question that a flow asked.")
    return unquote(parts[0])


def shown(context: Any) -> tuple[str, str]:
    """What stands above the output, and the output, as people read them."""
    message: str = context.message
    output = context.method_output
    shown = "" if output is None else _text_of(output)
    is_told = message.strip() == _title(message)
    return ("" if is_told else f"{message.strip()}\n\n---\n\n" if shown.strip() else message.strip()), shown


def _text_of(output: Any) -> str:
    raw = _raw_of(output)
    return raw if raw is not None else json.dumps(_plain(output), indent=2, ensure_ascii=False, default=str)


def _raw_of(output: Any) -> str | None:
    """The text of a text, and of what a crew has put out, as it is or as CrewAI stores it."""
    if isinstance(output, str):
        return output
    is_stored = isinstance(output, Mapping) and "tasks_output" in output
    raw = output.get("raw") if is_stored else getattr(output, "raw", None) if hasattr(output, "tasks_output") else None
    return raw if isinstance(raw, str) else None


def _plain(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(held) for name, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(held) for held in value]
    return value


def _edited_output(context: Any, answer: Answer) -> Any:
    """The output as people have edited it, in the type that it had, as far as that can be made from JSON."""
    edited, output = answer.edited_text or "", context.method_output
    head, _ = shown(context)
    if not edited.startswith(head):
        raise _not_usable(answer, "they change what stands above the output")
    edited = edited[len(head) :]
    if isinstance(output, str) or output is None:
        return edited
    if _raw_of(output) is not None:
        changed = {"raw": edited, "pydantic": None, "json_dict": None}
        return {**output, **changed} if isinstance(output, Mapping) else output.model_copy(update=changed)
    try:
        value = json.loads(edited)
        return type(output).model_validate(value) if hasattr(output, "model_validate") else value
    except ValueError as error:
        raise _not_usable(answer, f"they don't fit the output: {error}") from error


def _not_usable(answer: Answer, why: str) -> NotDecided:
    who = answer.by.name if answer.by else "Somebody"
    return NotDecided(f"The edits with which {who} approved can't be used: {why}.", answer)


class _Feedback(str):
    """Feedback that carries what a person decided, from the provider to the place where CrewAI makes a result."""

    answer: Answer | None = None
    outcome: str | None = None
    output: Any = None
    has_edits = False

    # str() of feedback must not lose the decision.
    def __str__(self) -> str:
        return self


def feedback_of(context: Any, answer: Answer) -> _Feedback:
    """What a flow is told. Raises ``NotDecided`` where it has no way for what people did."""
    outcome = _outcome_of(context, answer)
    if answer.status != "decided":
        feedback = _Feedback("")
    elif context.emit:
        feedback = _Feedback((answer.feedback or "").strip() or outcome or "")
    elif answer.answer is not None:
        feedback = _Feedback(answer.answer.get(_TEXT_FIELD["name"], ""))
    elif answer.approved:
        feedback = _Feedback(f"Approved. {answer.feedback}" if answer.feedback else "Approved.")
    else:
        feedback = _Feedback(answer.feedback or "Rejected.")
    feedback.answer, feedback.outcome = answer, outcome
    if answer.approved and answer.edited_text is not None:
        feedback.output, feedback.has_edits = _edited_output(context, answer), True
    return feedback


def _outcome_of(context: Any, answer: Answer) -> str | None:
    emit: Sequence[str] = context.emit or ()
    method = context.method_name
    if answer.status == "waiting":
        raise ValueError("Nobody has decided this yet.")
    if answer.status != "decided":
        if context.default_outcome is None:
            way = "a default_outcome" if emit else "emit and a default_outcome"
            raise NotDecided(f"{answer} The method {method} has no way for that: give @human_feedback {way}.", answer)
        return str(context.default_outcome)
    if not emit:
        return None
    if answer.decision == "rejected" and (answer.outcome is None or len(emit) == 1):
        raise NotDecided(f"{answer} The method {method} has no outcome for a rejection: add one to emit.", answer)
    # Signoff leaves spaces around a name out.
    outcomes = {name.strip(): name for name in emit}
    chosen = emit[0] if answer.outcome is None and len(emit) == 1 else outcomes.get(answer.outcome or "")
    if chosen is None:
        raise NotDecided(f"{answer} The method {method} has no such outcome.", answer)
    return chosen


def _record(answer: Answer) -> dict[str, Any]:
    """Who decided what, as a flow can store it."""
    by = answer.by and {"id": answer.by.id, "name": answer.by.name}
    decided_at = answer.decided_at and answer.decided_at.isoformat()
    told = {"ref": answer.ref, "id": answer.id, "status": answer.status, "decision": answer.decision}
    return {**told, "by": by, "decided_at": decided_at}


def take_outcomes_of_people(flow: Any) -> None:
    """Makes the flow take what a person chose. It holds for this object alone, and leaves other feedback to CrewAI."""
    if _FINALIZE in flow.__dict__ or _COLLAPSE in flow.__dict__:
        return
    if _takes(flow, _FINALIZE, "raw_feedback", "emit", "default_outcome"):
        name, method = _FINALIZE, MethodType(_finalize_human_feedback, flow)
    # Until 1.14, the decorator itself asks, and calls this for any feedback that isn't empty.
    elif not hasattr(flow, "_run_human_feedback_step") and _takes(flow, _COLLAPSE, "feedback", "outcomes", "llm"):
        name, method = _COLLAPSE, MethodType(_collapse_to_outcome, flow)
    else:
        raise UnsupportedCrewAI(
            f"CrewAI {version('crewai')} has no known place for an outcome that a person chose, so nobody was asked. "
            "Update signoff-agents, or use CrewAI 1.15.30."
        )
    # A flow is a model of pydantic, which refuses attributes that it doesn't know.
    flow.__dict__[name] = method


_FINALIZE = "_finalize_human_feedback"
_COLLAPSE = "_collapse_to_outcome"


def _replaces_output(flow: Any) -> bool:
    return _FINALIZE in flow.__dict__


def _takes(flow: Any, name: str, *parameters: str) -> bool:
    method = getattr(type(flow), name, None)
    return callable(method) and set(parameters) <= set(inspect.signature(method).parameters)


async def _finalize_human_feedback(flow: Any, **given: Any) -> Any:
    """Stands in for CrewAI's method of this name."""
    finalize, feedback = getattr(type(flow), _FINALIZE), given["raw_feedback"]
    if not isinstance(feedback, _Feedback) or feedback.answer is None:
        return await finalize(flow, **given)
    # Without feedback, CrewAI takes the default and calls no model.
    result = await finalize(flow, **{**given, "raw_feedback": "", "default_outcome": feedback.outcome})
    if result.outcome != feedback.outcome:
        raise UnsupportedCrewAI(
            f"CrewAI {version('crewai')} takes {result.outcome!r} where a person chose {feedback.outcome!r}."
        )
    result.feedback = "".join(feedback)
    result.metadata = {**(result.metadata or {}), "signoff": _record(feedback.answer)}
    if feedback.has_edits:
        result.output = feedback.output
    return result


def _collapse_to_outcome(flow: Any, feedback: str, outcomes: Sequence[str], llm: Any) -> Any:
    """Stands in for CrewAI's method of this name."""
    if isinstance(feedback, _Feedback) and feedback.outcome is not None:
        return feedback.outcome
    return getattr(type(flow), _COLLAPSE)(flow, feedback=feedback, outcomes=outcomes, llm=llm)


_JUST_NOW = timedelta(minutes=1)
_LOOK_S = 0.05
_resuming: set[str] = set()
_resuming_lock = threading.Lock()


async def async_resume_flow(flow_class: Any, answer: Answer, persistence: Any = None, **options: Any) -> Any:
    """Does the same as :func:`resume_flow` for asyncio."""
    flow_id = _flow_id_in(answer)
    if answer.status == "waiting":
        raise ValueError("Nobody has decided this yet.")
    key = answer.id or ""
    with _resuming_lock:
        if key in _resuming:
            raise AnswerLater("The flow takes this answer at this moment.")
        _resuming.add(key)
    try:
        persistence = persistence if persistence is not None else await asyncio.to_thread(_default_persistence)
        if not await asyncio.to_thread(_is_pending, persistence, flow_id, answer):
            return _not_pending(answer, flow_id)
        flow = flow_class.from_pending(flow_id, persistence, **options)
        return await resume_pending(flow, answer)
    finally:
        with _resuming_lock:
            _resuming.discard(key)


async def resume_pending(flow: Any, answer: Answer) -> Any:
    """Goes on with a flow that ``Flow.from_pending`` made. Raises ``NotDecided`` if it has no way for the answer."""
    context = flow.pending_feedback
    feedback = feedback_of(context, answer)
    take_outcomes_of_people(flow)
    context.metadata = {**(context.metadata or {}), "signoff": _record(answer)}
    if feedback.has_edits:
        context.method_output = feedback.output
    if feedback.outcome is not None:
        # Whatever way this version of CrewAI goes, no other outcome is left.
        context.emit, context.default_outcome = [feedback.outcome], feedback.outcome
    return await flow.resume_async(feedback)


def resume_flow(flow_class: Any, answer: Answer, persistence: Any = None, **options: Any) -> Any:
    """Goes on with a flow that paused at a question. Returns its result, or ``HumanFeedbackPending`` at its next one.

    A flow takes each answer once, however often it comes and whatever restarts in between: it returns None for one
    that it has had. Raises :class:`AnswerLater` if the flow isn't stored yet, because people were that fast;
    :class:`NotDecided` if it has no way for the answer, and then it stays paused; and ``ValueError`` for an answer to
    something else.

    ``persistence`` and ``options`` are those of ``Flow.from_pending``. A flow is stored as having the answer before its
    next method begins: CrewAI can't repeat what a crash cuts short after that.
    """
    return run_here(async_resume_flow(flow_class, answer, persistence, **options))


def resume_flow_in_background(
    flow_class: Any,
    answer: Answer,
    persistence: Any = None,
    *,
    on_end: Callable[[Any], object] = lambda _: None,
    **options: Any,
) -> None:
    """Gives a paused flow its answer, and returns as soon as it is stored that the flow has it.

    The flow goes on in a thread, so that :func:`callback_receiver` can answer within Signoff's 30 seconds. ``on_end``
    is called there with the flow's result, or ``HumanFeedbackPending``, but not for an answer that the flow had before.
    What the flow raises once it has the answer is logged; before that, this raises as :func:`resume_flow` does.
    """
    flow_id = _flow_id_in(answer)
    stored = persistence if persistence is not None else _default_persistence()
    if not _is_pending(stored, flow_id, answer):
        return _not_pending(answer, flow_id)
    ended = threading.Event()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            on_end(asyncio.run(async_resume_flow(flow_class, answer, stored, **options)))
        except BaseException as error:
            errors.append(error)
            if not _is_pending(stored, flow_id, answer) and not isinstance(error, AnswerLater):
                log.exception("the flow %s has the answer %s, and failed after that", flow_id, answer.ref)
                errors.clear()
        finally:
            ended.set()

    threading.Thread(target=run, name=f"flow {flow_id}").start()
    while not ended.wait(_LOOK_S):
        if not _is_pending(stored, flow_id, answer):
            return
    if errors:
        raise errors[0]


def _is_pending(persistence: Any, flow_id: str, answer: Answer) -> bool:
    """Whether the flow waits for this very answer."""
    pending = persistence.load_pending_feedback(flow_id)
    return pending is not None and (pending[1].metadata or {}).get("signoff", {}).get("id") == answer.id


def _not_pending(answer: Answer, flow_id: str) -> None:
    age = None if answer.decided_at is None else datetime.now(timezone.utc) - answer.decided_at
    if age is not None and age < _JUST_NOW:
        raise AnswerLater("The flow isn't stored yet, or has had this answer.")
    log.info("the flow %s has had the answer %s already", flow_id, answer.ref)


def _default_persistence() -> Any:
    """The one that ``Flow.from_pending`` takes."""
    try:
        from crewai.flow.persistence.factory import default_flow_persistence
    except ImportError:
        from crewai.flow.persistence import SQLiteFlowPersistence

        return SQLiteFlowPersistence()
    return default_flow_persistence()
