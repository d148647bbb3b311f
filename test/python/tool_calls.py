"""An agent of LangChain with two calls at once, which people decide about."""

import json
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from signoff_agents.langchain import run_with_people

CALLED: list[Any] = []


@tool
def send_email(to: str) -> str:
    """Sends an e-mail."""
    CALLED.append(to)
    return "sent"


@tool
def refund(amount: int) -> str:
    """Refunds an amount."""
    CALLED.append(amount)
    return "refunded"


class Model(GenericFakeChatModel):
    def bind_tools(self, tools: Any, **_: Any) -> Any:
        return self


calls = [
    {"name": "send_email", "args": {"to": "ada@example.com"}, "id": "call-1", "type": "tool_call"},
    {"name": "refund", "args": {"amount": 30}, "id": "call-2", "type": "tool_call"},
]
agent = create_agent(
    Model(messages=iter([AIMessage("", tool_calls=calls), AIMessage("Done.")])),
    [send_email, refund],
    middleware=[HumanInTheLoopMiddleware(interrupt_on={"send_email": True, "refund": True})],
    checkpointer=InMemorySaver(),
)
state = run_with_people(agent, {"messages": [("user", "Refund.")]}, {"configurable": {"thread_id": "order-7"}})
said = [message.content for message in state["messages"] if message.type == "tool"]
print(json.dumps({"called": CALLED, "said": said}))
