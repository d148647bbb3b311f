from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("langchain")

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from signoff_agents import Answer, NotDecided
from signoff_agents.langchain import arun_with_people, run_with_people
from tests.contract_server import Ask, Bot

pytestmark = [pytest.mark.frameworks, pytest.mark.usefixtures("environment")]

CONFIG: Any = {"configurable": {"thread_id": "order-7"}}
INPUT = {"messages": [("user", "Refund order 7, and tell Ada.")]}
CALLED: list[tuple[str, Any]] = []


@pytest.fixture(autouse=True)
def called() -> list[tuple[str, Any]]:
    CALLED.clear()
    return CALLED


@tool
def send_email(to: str, subject: str = "Hello") -> str:
    """Sends an e-mail."""
    CALLED.append(("send_email", (to, subject)))
    return "sent"


@tool
def refund(amount: int) -> str:
    """Refunds an amount."""
    CALLED.append(("refund", amount))
    return "refunded"


@tool
def ask_user(question: str) -> str:
    """Asks the user."""
    raise AssertionError("a person stands in for it")


class Model(GenericFakeChatModel):
    """A model that says what the test gives it, and can have tools."""

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args, "id": f"call-{name}-{json.dumps(args)}", "type": "tool_call"}


EMAIL, REFUND = call("send_email", to="ada@example.com"), call("refund", amount=30)


def agent_of(*turns: list[dict[str, Any]], saver: Any = None, mode: str = "batched", **interrupt_on: Any) -> Any:
    """An agent that makes these calls, turn by turn, and ends."""
    messages = [AIMessage("", tool_calls=calls) for calls in turns]
    gated = {"send_email": True, "refund": True, **interrupt_on}
    return create_agent(
        Model(messages=iter([*messages, AIMessage("Done.")])),
        [send_email, refund, ask_user],
        middleware=[HumanInTheLoopMiddleware(interrupt_on=gated, interrupt_mode=mode)],
        checkpointer=saver or InMemorySaver(),
    )


def results(state: Any) -> list[str]:
    return [message.content for message in state["messages"] if message.type == "tool"]


def by_tool(bot: Bot, **decisions: Callable[[Ask], None]) -> None:
    bot.decides = lambda ask: decisions[json.loads(ask.body["text"])["name"]](ask)


def edited(bot: Bot, **call: Any) -> Callable[[Ask], None]:
    return lambda ask: bot.decide(ask, edited_text=json.dumps(call))


@pytest.mark.parametrize("mode", ["batched", "per_call"])
class TestCalls:
    def test_calls_are_asked_at_the_same_time_and_each_gets_its_own_decision(self, bot: Bot, mode: str) -> None:
        def decide_both(last: Ask) -> None:
            for ask in bot.asks if last.ref == "ref-2" else []:
                is_email = "send_email" in ask.body["text"]
                bot.decide(ask) if is_email else bot.decide(ask, "rejected", feedback="Only 10 are due.")

        bot.decides = decide_both
        state = run_with_people(agent_of([EMAIL, REFUND], mode=mode), INPUT, CONFIG)
        assert CALLED == [("send_email", ("ada@example.com", "Hello"))]
        assert state["messages"][-1].content == "Done."
        assert any("Only 10 are due." in result for result in results(state))
        email = next(ask.body for ask in bot.asks if ask.body["title"] == "Send email")
        assert json.loads(email["text"]) == {"name": "send_email", "args": {"to": "ada@example.com"}}
        # They are no rounds of each other.
        assert {ask.body["thread"] for ask in bot.asks} == {
            "langchain/order-7/send_email/1",
            "langchain/order-7/refund/1",
        }
        assert "why" not in email

    def test_an_approved_edit_is_what_is_called(self, bot: Bot, mode: str) -> None:
        bot.decides = edited(bot, name="refund", args={"amount": 10})
        state = run_with_people(agent_of([REFUND], mode=mode), INPUT, CONFIG)
        assert CALLED == [("refund", 10)]
        assert "replaced this tool call" in results(state)[0]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ('{"name": "refund", "args": {"amount": "much"}}', "amount: Input should be a valid integer"),
            ('{"name": "refund", "args": {"amont": 10}}', "amont is no argument of refund. amount is missing."),
            ('{"name": "send_email", "args": {"to": "x"}}', "Edits can't name another tool."),
            ('{"amount": 10}', "must be JSON with name and args"),
            ("ten", "is no JSON"),
        ],
    )
    def test_an_edit_that_does_not_fit_is_asked_again_and_never_called(
        self, bot: Bot, mode: str, text: str, reason: str
    ) -> None:
        bot.decides = lambda ask: bot.decide(ask, edited_text=text) if len(bot.asks) == 1 else bot.decide(ask)
        run_with_people(agent_of([REFUND], mode=mode), INPUT, CONFIG)
        assert reason in bot.asks[1].body["why"]
        assert "The answer of Maria can't be used" in bot.asks[1].body["why"]
        assert CALLED == [("refund", 30)]

    def test_a_tool_without_edits_takes_none(self, bot: Bot, mode: str) -> None:
        decide_edit = edited(bot, name="refund", args={"amount": 10})
        bot.decides = lambda ask: decide_edit(ask) if len(bot.asks) == 1 else bot.decide(ask, "rejected")
        agent = agent_of([REFUND], mode=mode, refund={"allowed_decisions": ["approve", "reject"]})
        run_with_people(agent, INPUT, CONFIG)
        assert "takes no edits" in bot.asks[1].body["why"]
        assert CALLED == []

    def test_a_tool_that_only_people_can_answer_gets_their_text(self, bot: Bot, mode: str) -> None:
        bot.decides = lambda ask: bot.decide(ask, answer={"answer": "Teal."})
        agent = agent_of([call("ask_user", question="Colour?")], mode=mode, ask_user={"allowed_decisions": ["respond"]})
        assert results(run_with_people(agent, INPUT, CONFIG)) == ["Teal."]

    @pytest.mark.parametrize("ends", ["expire", "close"])
    def test_a_call_that_nobody_decides_is_not_made(self, bot: Bot, mode: str, ends: str) -> None:
        bot.decides = getattr(bot, ends)
        state = run_with_people(agent_of([REFUND], mode=mode), INPUT, CONFIG)
        assert "The call was not made." in results(state)[0]
        assert CALLED == []

    def test_a_rejection_that_the_tool_does_not_allow_leaves_the_agent_waiting(self, bot: Bot, mode: str) -> None:
        bot.decides = lambda ask: bot.decide(ask, "rejected", feedback="No.")
        agent = agent_of([REFUND], mode=mode, refund={"allowed_decisions": ["approve"]})
        with pytest.raises(NotDecided, match=r"Maria rejected: No\. The tool refund allows no reject"):
            run_with_people(agent, INPUT, CONFIG)
        assert len(agent.get_state(CONFIG).interrupts) == 1
        assert CALLED == []

    def test_the_same_call_in_a_later_turn_is_asked_anew(self, bot: Bot, mode: str) -> None:
        bot.decides = lambda ask: bot.decide(ask, "rejected") if len(bot.asks) == 1 else bot.decide(ask)
        run_with_people(agent_of([REFUND], [REFUND], mode=mode), INPUT, CONFIG)
        assert len({ask.body["id"] for ask in bot.asks}) == 2
        assert CALLED == [("refund", 30)]

    def test_a_restarted_program_asks_nothing_twice_and_takes_what_was_decided(self, bot: Bot, mode: str) -> None:
        saver = InMemorySaver()

        async def until_asked() -> None:
            agent = agent_of([EMAIL, REFUND], saver=saver, mode=mode)
            task = asyncio.create_task(arun_with_people(agent, INPUT, CONFIG))
            await asyncio.to_thread(bot.wait_for_asks, 2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(until_asked())
        bot.decide(bot.asks[0])
        bot.decide(bot.asks[1], "rejected")
        answers: list[Answer] = []
        # A new process: the model goes on with what comes after the calls.
        agent = agent_of(saver=saver, mode=mode)
        state = run_with_people(agent, INPUT, CONFIG, on_answer=answers.append)
        assert [message.type for message in state["messages"]].count("human") == 1
        assert (len(bot.asks), len(answers), len(CALLED)) == (2, 2, 1)

    def test_it_does_the_same_with_asyncio(self, bot: Bot, mode: str) -> None:
        by_tool(bot, send_email=bot.decide, refund=edited(bot, name="refund", args={"amount": 1}))
        agent = agent_of([EMAIL, REFUND], mode=mode)
        state = asyncio.run(arun_with_people(agent, INPUT, CONFIG, expires_in="4h", channel="refunds"))
        assert sorted(CALLED) == [("refund", 1), ("send_email", ("ada@example.com", "Hello"))]
        assert state["messages"][-1].content == "Done."
        assert {(ask.body["expires_in"], ask.body["channel"]) for ask in bot.asks} == {("4h", "refunds")}


def test_a_description_of_your_own_says_why(bot: Bot) -> None:
    bot.decides = bot.decide
    described = {"allowed_decisions": ["approve", "reject"], "description": "Refunds can't be undone."}
    run_with_people(agent_of([REFUND], refund=described), INPUT, CONFIG)
    assert bot.asks[0].body["why"] == "Refunds can't be undone."


def test_an_agent_that_failed_on_the_way_goes_on_there(bot: Bot) -> None:
    failures = [RuntimeError("The bank is away.")]

    @tool
    def pay(amount: int) -> str:
        """Pays."""
        if failures:
            raise failures.pop()
        CALLED.append(("pay", amount))
        return "paid"

    bot.decides = bot.decide
    messages = iter([AIMessage("", tool_calls=[call("pay", amount=3)]), AIMessage("Done.")])
    middleware = [HumanInTheLoopMiddleware(interrupt_on={"pay": True})]
    agent = create_agent(Model(messages=messages), [pay], middleware=middleware, checkpointer=InMemorySaver())
    with pytest.raises(RuntimeError, match="The bank is away"):
        run_with_people(agent, INPUT, CONFIG)
    state = run_with_people(agent, INPUT, CONFIG)
    assert (CALLED, len(bot.asks), state["messages"][-1].content) == ([("pay", 3)], 1, "Done.")


def graph_of(*values: Any) -> Any:
    """A graph of which one node asks for all of these."""

    def check_price(_: dict[str, Any]) -> dict[str, Any]:
        return {"answers": [interrupt(value) for value in values]}

    graph = StateGraph(dict)
    graph.add_node("check_price", check_price)
    graph.add_edge(START, "check_price")
    return graph.compile(checkpointer=InMemorySaver())


def test_a_graph_of_your_own_asks_by_interrupts(bot: Bot) -> None:
    def decide(ask: Ask) -> None:
        if "outcomes" in ask.body:
            bot.decide(ask, outcome="hold", feedback="Until Monday.")
        else:
            bot.decide(ask, "rejected", feedback="Too much.")

    bot.decides = decide
    question = {"title": "Deploy 1.4", "text": "Now?", "outcomes": ["ship it", "hold"]}
    state = run_with_people(graph_of("Pay 30?", question, {"amount": 30}), {}, CONFIG)
    first, second, third = state["answers"]
    assert (first["approved"], first["feedback"]) == (False, "Too much.")
    assert (second["approved"], second["outcome"], second["feedback"]) == (True, "hold", "Until Monday.")
    assert third["approved"] is False
    assert [ask.body["title"] for ask in bot.asks] == ["Check price", "Deploy 1.4", "Check price"]
    assert json.loads(bot.asks[2].body["text"]) == {"amount": 30}


def test_a_graph_within_a_graph_asks_too(bot: Bot) -> None:
    bot.decides = bot.decide
    inner = graph_of("Pay 30?", "Pay 30?")
    outer = StateGraph(dict)
    outer.add_node("inner", inner)
    outer.add_edge(START, "inner")
    state = run_with_people(outer.compile(checkpointer=InMemorySaver()), {}, CONFIG)
    assert [answer["approved"] for answer in state["answers"]] == [True, True]
    # The same text twice is two questions.
    assert len({ask.body["id"] for ask in bot.asks}) == 2


def test_a_graph_may_choose_what_an_interrupt_returns(bot: Bot) -> None:
    bot.decides = bot.expire
    state = run_with_people(graph_of("Pay 30?"), {}, CONFIG, resume_value=lambda answer: answer.status)
    assert state["answers"] == ["expired"]


def test_what_an_agent_needs_is_named() -> None:
    with pytest.raises(ValueError, match="config needs a thread_id"):
        run_with_people(agent_of([REFUND]), INPUT, {})
    with pytest.raises(ValueError, match="needs a checkpointer"):
        run_with_people(create_agent(Model(messages=iter([])), [refund]), INPUT, CONFIG)
