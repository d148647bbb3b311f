"""Puts people in the loop of LangChain's agents and of graphs of LangGraph.

An agent with ``HumanInTheLoopMiddleware`` and a checkpointer needs one call instead of ``agent.invoke``::

    run_with_people(agent, {"messages": [{"role": "user", "content": "Refund order 7."}]}, config)
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypedDict
from urllib.parse import quote

from langgraph.types import Command

from signoff_agents.answers import Answer, NotDecided
from signoff_agents.asks import Field, Question, Signoff
from signoff_agents.running import run_here

__all__ = ["People", "arun_with_people", "run_with_people"]

log = logging.getLogger("signoff_agents")


class People(TypedDict, total=False):
    """How people are asked."""

    signoff: Signoff | None
    """Default: the settings of the environment."""
    on_answer: Callable[[Answer], object] | None
    """A function that is called with every answer: who decided, and a note with an approval, for which LangChain has no
    place. After a restart, it may be called again with the same answer.
    """
    resume_value: Callable[[Answer], object] | None
    """What ``interrupt(value)`` returns in a graph of your own. Default: a dict with ``approved``, ``feedback``,
    ``outcome``, ``answer`` and ``edited_text``.
    """
    tools: Sequence[Any] | None
    """The tools by which edits are checked. Default: those of the agent."""
    expires_in: int | str | timedelta | None
    """For how long people may decide."""
    channel: str | None
    """Default: the crew's."""
    cancel_on_interrupt: bool
    """Whether questions are taken back when this call is interrupted. Default: they go on waiting for the restart."""


def run_with_people(agent: Any, input: Any, config: Mapping[str, Any], **options: Any) -> Any:
    """Runs an agent until it ends, asks people whenever it waits for them, and returns what ``agent.invoke`` does.

    ``options`` are those of :class:`People`; all others go to ``agent.invoke``. The agent needs a checkpointer, and
    ``config`` a ``thread_id``.

    **Tool calls.** All calls that wait are asked at the same time. If the model calls a tool again, that is the next round
    in the thread of its call before, with what has changed. *Approve* makes the call. *Reject*
    tells the model the feedback, word for word. *Approve with edits* makes the call with the edited arguments; if
    these don't fit the tool, or the middleware allows no ``edit``, nothing is called, and people are asked again with
    the reason. A tool for which only ``respond`` is allowed asks for a text, which becomes the tool's result. If
    nobody decides in time or the question is closed, the call is rejected and the model is told so. Where the
    middleware doesn't allow ``reject``, both raise :class:`NotDecided`, and the agent goes on waiting.

    **Other interrupts.** ``interrupt("A text")`` asks people to approve or reject it, and ``interrupt({"title": …,
    "text": …, "outcomes": […]})`` asks as :meth:`Signoff.ask` does. Any other value is shown as JSON.

    **Restarts.** The ids of questions follow from the thread, the interrupt and the number of the call. With a
    checkpointer that outlives the process, a restarted program asks nothing twice, and takes what was decided
    meanwhile. A thread that waits for people, or was cut short, goes on from there: ``input`` is given only to a
    thread at rest.
    """
    people = _Asking(agent, config, options)
    state = agent.get_state(config)
    result = None
    if not state.interrupts:
        result = agent.invoke(_given(state, input), config, **people.options)
        state = agent.get_state(config)
    while state.interrupts:
        answers = run_here(people.decide(state))
        result = agent.invoke(Command(resume=answers), config, **people.options)
        state = agent.get_state(config)
    return result


async def arun_with_people(agent: Any, input: Any, config: Mapping[str, Any], **options: Any) -> Any:
    """Does the same as :func:`run_with_people` for asyncio."""
    people = _Asking(agent, config, options)
    state = await agent.aget_state(config)
    result = None
    if not state.interrupts:
        result = await agent.ainvoke(_given(state, input), config, **people.options)
        state = await agent.aget_state(config)
    while state.interrupts:
        answers = await people.decide(state)
        result = await agent.ainvoke(Command(resume=answers), config, **people.options)
        state = await agent.aget_state(config)
    return result


def _given(state: Any, input: Any) -> Any:
    if state.next and input is not None:
        log.info("the thread was cut short at %s: it goes on there, without the input", ", ".join(state.next))
    return None if state.next else input


@dataclass(frozen=True)
class _ToolCall:
    """A call that waits for people."""

    name: str
    args: Mapping[str, Any]
    why: str | None
    allowed: frozenset[str]

    @property
    def only_responds(self) -> bool:
        """Whether people stand in for the tool."""
        return "respond" in self.allowed and not self.allowed & {"approve", "edit"}

    @property
    def text(self) -> str:
        """What people see and edit: Signoff shows this shape as a call, with its arguments as fields."""
        call = {"name": self.name, "args": self.args}
        return json.dumps(call, indent=2, ensure_ascii=False, default=str)


class _UnusableAnswer(Exception):
    """People have to be asked again: their answer can't be followed."""


_TEXT_FIELD: Field = {"name": "answer", "label": "Your answer", "type": "long_text"}
_PEOPLE = frozenset(People.__annotations__)
_QUESTION = frozenset(Question.__annotations__) - {"id", "thread", "replaces", "callback"} | {"title", "text"}
_MOST_THREAD = 150
_MOST_TITLE = 150
_MOST_WHY = 2_000


class _Asking:
    """Asks people what one thread of an agent waits for."""

    def __init__(self, agent: Any, config: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        thread = (config.get("configurable") or {}).get("thread_id")
        if thread is None:
            raise ValueError('config needs a thread_id: {"configurable": {"thread_id": "order-7"}}.')
        if not getattr(agent, "checkpointer", None):
            raise ValueError(
                "The agent needs a checkpointer, which keeps what it waits for: create_agent(checkpointer=…)."
            )
        people: People = {name: value for name, value in options.items() if name in _PEOPLE}  # type: ignore[assignment]
        self.options = {name: value for name, value in options.items() if name not in _PEOPLE}
        self._signoff = people.get("signoff") or Signoff()
        self._on_answer = people.get("on_answer") or (lambda _: None)
        self._resume_value = people.get("resume_value") or _resume_value
        self._cancel_on_interrupt = people.get("cancel_on_interrupt", False)
        self._common: Question = {"expires_in": people.get("expires_in"), "channel": people.get("channel")}
        self._thread = str(thread)
        self._tools = _tools_of(agent, people.get("tools"))

    async def decide(self, state: Any) -> dict[str, Any]:
        """What to resume each interrupt with, by its id. People are asked about all of them at the same time."""
        nodes = {interrupt.id: task.name for task in state.tasks for interrupt in task.interrupts}
        counts: Counter[str] = Counter()
        values = [self._decide(each, nodes.get(each.id, ""), counts) for each in state.interrupts]
        return dict(zip((each.id for each in state.interrupts), await asyncio.gather(*values), strict=True))

    def _decide(self, interrupt: Any, node: str, counts: Counter[str]) -> Awaitable[Any]:
        """What to resume one interrupt with. `counts`: how often each tool and node has been met in this state."""
        value = interrupt.value

        def thread_of(name: str) -> str:
            # What a tool is called with next is compared with what it was called with before. Two calls that wait at once
            # are no rounds of each other.
            counts[name] += 1
            return _thread_name(self._thread, name, counts[name])

        if isinstance(value, Mapping) and "action_requests" in value and "review_configs" in value:
            calls = _calls_in(value)
            decisions = [
                self._review(call, f"{interrupt.id}/{number}", thread_of(call.name))
                for number, call in enumerate(calls)
            ]
            return _gathered(decisions)
        if isinstance(value, Mapping) and value.get("type") == "tool_approval" and "args" in value:
            allowed = _decisions_in(interrupt.response_schema)
            call = _call_of(value, allowed)
            return self._review(call, f"{interrupt.id}/0", thread_of(call.name))
        return self._answer(value, node, f"{interrupt.id}/0", thread_of(node))

    async def _answer(self, value: Any, node: str, key: str, thread: str) -> Any:
        title, text, question = _plain_question(value, node)
        return self._resume_value(await self._ask(key, thread, title, text, question))

    async def _review(self, call: _ToolCall, key: str, thread: str) -> dict[str, Any]:
        """The decision about one call."""
        why = call.why
        while True:
            question: Question = {"why": why}
            if call.only_responds:
                question["fields"] = [_TEXT_FIELD]
            answer = await self._ask(key, thread, _title(call.name), call.text, question)
            try:
                return _decision(call, answer, self._tools)
            except _UnusableAnswer as unusable:
                who = answer.by.name if answer.by else "somebody"
                reason = f"The answer of {who} can't be used: {unusable} Nothing has been called yet."
                why = f"{reason}\n\n{call.why or ''}".strip()[:_MOST_WHY]

    async def _ask(self, key: str, thread: str, title: str, text: str, question: Question) -> Answer:
        asked: Question = {**self._common, **question, "thread": thread}
        # The id covers all of the question, so that a changed program asks anew instead of being refused.
        shape = json.dumps([title, text, asked], sort_keys=True, default=str)
        asked["id"] = f"langchain/{_digest(self._thread)}/{_digest(key)}/{_digest(shape)}"
        answer = await self._signoff.async_ask(title, text, cancel_on_interrupt=self._cancel_on_interrupt, **asked)
        self._on_answer(answer)
        return answer


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


async def _gathered(decisions: Sequence[Awaitable[Any]]) -> dict[str, Any]:
    return {"decisions": await asyncio.gather(*decisions)}


def _thread_name(thread: str, tool: str, number: int) -> str:
    """At most 200 characters. The `number`th call of a tool in each turn of an agent has a thread of its own in Slack."""
    name = "/".join(["langchain", quote(thread, safe=""), quote(tool, safe=""), str(number)])
    return name if len(name) <= _MOST_THREAD else f"{name[: _MOST_THREAD - 17]}-{_digest(name)}"


def _title(name: str) -> str:
    """A tool's or a node's name as a title: ``send_email`` is *Send email*."""
    words = " ".join(name.replace("_", " ").replace("-", " ").split()) or "Decision"
    return f"{words[0].upper()}{words[1:]}"[:_MOST_TITLE]


def _tools_of(agent: Any, tools: Sequence[Any] | None) -> dict[str, Any]:
    if tools is not None:
        return {tool.name: tool for tool in tools}
    nodes = getattr(agent, "nodes", {}).values()
    found = [getattr(getattr(node, "bound", None), "tools_by_name", {}) for node in nodes]
    return {name: tool for each in found for name, tool in each.items()}


def _calls_in(value: Mapping[str, Any]) -> list[_ToolCall]:
    allowed = {each["action_name"]: frozenset(each["allowed_decisions"]) for each in value["review_configs"]}
    return [_call_of(each, allowed[each["name"]]) for each in value["action_requests"]]


def _call_of(request: Mapping[str, Any], allowed: frozenset[str]) -> _ToolCall:
    name, args = request["name"], request["args"]
    description = (request.get("description") or "").strip()
    # The middleware's own description says no more than the call.
    is_default = description.endswith(f"Tool: {name}\nArgs: {args}")
    return _ToolCall(name, args, None if is_default or not description else description[:_MOST_WHY], allowed)


def _decisions_in(schema: object) -> frozenset[str]:
    """The decisions that the schema of an interrupt allows."""
    if not isinstance(schema, Mapping):
        return frozenset(("approve", "reject"))
    parts = [schema, *(schema.get("$defs") or {}).values()]
    return frozenset(
        part["properties"]["type"]["const"]
        for part in parts
        if isinstance(part, Mapping) and "const" in ((part.get("properties") or {}).get("type") or {})
    )


def _plain_question(value: Any, node: str) -> tuple[str, str, Question]:
    if isinstance(value, Mapping) and {"title", "text"} <= value.keys() <= _QUESTION:
        question: Question = {name: held for name, held in value.items() if name not in ("title", "text")}  # type: ignore[assignment]
        return str(value["title"]), str(value["text"]), question
    text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return _title(node), text, {}


def _resume_value(answer: Answer) -> dict[str, Any]:
    told = {"outcome": answer.outcome, "answer": answer.answer, "edited_text": answer.edited_text}
    feedback = (answer.feedback or "") if answer.status == "decided" else str(answer)
    return {"approved": answer.approved, "feedback": feedback, **told}


def _decision(call: _ToolCall, answer: Answer, tools: Mapping[str, Any]) -> dict[str, Any]:
    if not answer.approved:
        if "reject" not in call.allowed:
            raise NotDecided(f"{answer} The tool {call.name} allows no reject, so the agent goes on waiting.", answer)
        if answer.status != "decided":
            return {"type": "reject", "message": f"{answer} The call was not made."}
        return {"type": "reject", "message": answer.feedback} if answer.feedback else {"type": "reject"}
    if call.only_responds:
        return {"type": "respond", "message": str((answer.answer or {}).get(_TEXT_FIELD["name"], ""))}
    args = call.args if answer.edited_text is None else _edited_args(call, answer.edited_text)
    if args == call.args and "approve" in call.allowed:
        return {"type": "approve"}
    if "edit" not in call.allowed:
        raise _UnusableAnswer("The tool takes no edits. Approve or reject the call as it is.")
    if args == call.args:
        raise _UnusableAnswer("The tool takes no approval without edits. Approve it with edits, or reject it.")
    _check(call, args, tools.get(call.name))
    return {"type": "edit", "edited_action": {"name": call.name, "args": args}}


def _edited_args(call: _ToolCall, text: str) -> dict[str, Any]:
    try:
        edited = json.loads(text)
    except ValueError:
        raise _UnusableAnswer("The edited text is no JSON.") from None
    if not isinstance(edited, dict) or edited.keys() != {"name", "args"} or not isinstance(edited["args"], dict):
        raise _UnusableAnswer("The edited text must be JSON with name and args, as it was.")
    if edited["name"] != call.name:
        raise _UnusableAnswer("Edits can't name another tool.")
    return dict(edited["args"])


def _check(call: _ToolCall, args: Mapping[str, Any], tool: Any) -> None:
    """Raises ``_UnusableAnswer`` unless the arguments fit the tool, as far as its schema tells."""
    schema = getattr(tool, "tool_call_schema", None)
    validate = getattr(schema, "model_validate", None)
    described: Any = schema.model_json_schema() if validate and schema is not None else schema
    if not isinstance(described, Mapping):
        return
    names = (described.get("properties") or {}).keys()
    # Tools leave out what they don't know, and with it what people wanted.
    unknown = [] if described.get("additionalProperties") else sorted(args.keys() - names)
    missing = [name for name in described.get("required") or () if name not in args]
    problems = [f"{name} is no argument of {call.name}." for name in unknown]
    problems += [f"{name} is missing." for name in missing]
    if not problems and validate is not None:
        try:
            validate(dict(args))
        except ValueError as error:
            problems = _problems_in(error)
    if problems:
        raise _UnusableAnswer(" ".join(problems))


def _problems_in(error: Any) -> list[str]:
    """A sentence for each problem that pydantic found."""
    errors = error.errors() if hasattr(error, "errors") else []
    return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}." for each in errors] or ["The arguments don't fit."]
