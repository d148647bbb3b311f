from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import signoff_agents
from signoff_agents import Answer, AskRefused, AskTimeout, Person, Signoff, SignoffUnreachable, ask, async_ask
from signoff_agents.asks import Conversation, Pause, Reply
from tests.contract_server import TOKEN, Ask, Bot

WAITING = {"ref": "r1", "url": None, "id": None, "status": "waiting"}
APPROVED = {**WAITING, "status": "decided", "decision": "approved"}


def deciding(bot: Bot, decision: str = "approved", **more: Any) -> None:
    bot.decides = lambda asked: bot.decide(asked, decision, **more)


@pytest.mark.usefixtures("environment")
class TestAsking:
    def test_a_program_asks_waits_and_learns_what_a_person_decided(self, bot: Bot) -> None:
        deciding(bot, "rejected", feedback="Not on a Friday.")
        answer = ask("Deploy 1.4", "All checks are **green**.", expires_in=timedelta(hours=4), inputs={"age": 3})
        assert answer == Answer(
            ref="ref-1",
            status="decided",
            id=bot.asks[0].body["id"],
            url="https://slack.example/ref-1",
            decision="rejected",
            feedback="Not on a Friday.",
            by=Person("U_MARIA", "Maria"),
            decided_at=datetime(2026, 11, 29, 10, tzinfo=timezone.utc),
        )
        assert not answer.approved
        assert str(answer) == "Maria rejected: Not on a Friday."
        assert bot.asks[0].body["expires_in"] == 14_400

    def test_a_program_with_asyncio_does_the_same(self, bot: Bot) -> None:
        deciding(bot, outcome="ship it")
        answer = asyncio.run(async_ask("Deploy 1.4", "Now?", outcomes=["ship it", "hold"]))
        assert (answer.approved, answer.outcome) == (True, "ship it")

    def test_a_filled_in_form_and_an_edited_text_reach_the_program(self, bot: Bot) -> None:
        deciding(bot, answer={"where": "production", "count": 2}, edited_text="Edited.")
        answer = ask("Where?", "Where to?", fields=[{"name": "where", "type": "choice", "options": ["production"]}])
        assert (answer.answer, answer.edited_text) == ({"where": "production", "count": 2}, "Edited.")


@pytest.mark.parametrize("status", ["expired", "cancelled", "closed"])
def test_nothing_but_an_approval_is_approved(bot: Bot, signoff: Signoff, status: str) -> None:
    bot.decides = lambda asked: bot.expire(asked) if status == "expired" else bot.close(asked, status)
    answer = signoff.ask("Deploy", "Now?")
    assert (answer.status, answer.approved) == (status, False)


def test_a_question_is_asked_once_where_its_answer_was_lost(bot: Bot, signoff: Signoff) -> None:
    bot.faults = [None, (503, {"retry-after": "0"}), (429, {"retry-after": "0"})]
    deciding(bot)
    assert signoff.ask("Deploy", "Now?").approved
    assert (len(bot.asks), bot.requests.count("POST /asks")) == (1, 4)


def test_the_same_id_asks_once_and_gets_the_same_answer(bot: Bot, signoff: Signoff) -> None:
    deciding(bot)
    answers = [signoff.ask("Deploy", "Now?", id="deploy-1.4") for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(bot.asks) == 1
    with pytest.raises(AskRefused, match=r"refused this \(409\): Something else was asked under this id"):
        signoff.ask("Deploy", "Another text.", id="deploy-1.4")


def test_a_refusal_says_every_problem(signoff: Signoff) -> None:
    with pytest.raises(AskRefused) as refused:
        signoff.ask("", "", **{"expires": 4})  # type: ignore[arg-type]
    assert refused.value.status == 422
    assert refused.value.problems == (
        "expires is no field of an ask.",
        "title must be one line of 1 to 150 characters.",
        "text must be text of 1 to 1048576 characters.",
    )


def test_a_question_that_replaces_a_decided_one_is_refused_with_what_was_decided(bot: Bot, signoff: Signoff) -> None:
    ref = signoff.post("Deploy", "Now?", thread="deploys").ref
    bot.decide(bot.ask(ref), "rejected")
    with pytest.raises(AskRefused) as refused:
        signoff.ask("Deploy", "Now, with tests?", thread="deploys", replaces=ref)
    assert refused.value.answer is not None
    assert refused.value.answer.decision == "rejected"


def test_a_timeout_leaves_the_question_waiting_and_names_its_ref(bot: Bot, signoff: Signoff) -> None:
    with pytest.raises(AskTimeout, match=r'within 0.05 seconds.*wait\("ref-1"\)') as late:
        signoff.ask("Deploy", "Now?", timeout=0.05)
    assert not late.value.cancelled
    bot.decide(bot.ask(late.value.ref))
    assert signoff.wait(late.value.ref, timeout=0).approved
    assert signoff.get(late.value.ref).approved


def test_a_timeout_takes_the_question_back_if_it_should(bot: Bot, signoff: Signoff) -> None:
    with pytest.raises(AskTimeout, match="It was taken back"):
        signoff.ask("Deploy", "Now?", timeout=0.05, cancel_on_timeout=True)
    assert bot.asks[0].state["status"] == "cancelled"


def test_cancel_returns_what_people_decided_if_they_were_faster(bot: Bot, signoff: Signoff) -> None:
    first, second = (signoff.post("Deploy", text).ref for text in ("One.", "Two."))
    bot.decide(bot.ask(first))
    assert signoff.cancel(first).approved
    assert signoff.cancel(second).status == "cancelled"
    with pytest.raises(AskRefused, match="404"):
        signoff.cancel("ref-unknown")


@pytest.mark.parametrize(
    ("options", "status"),
    [({}, "cancelled"), ({"id": "deploy"}, "waiting"), ({"id": "deploy", "cancel_on_interrupt": True}, "cancelled")],
)
def test_a_cancelled_task_takes_back_what_nobody_can_ask_for_any_more(
    bot: Bot, signoff: Signoff, options: Any, status: str
) -> None:
    async def interrupted() -> None:
        task = asyncio.create_task(signoff.async_ask("Deploy", "Now?", **options))
        await asyncio.to_thread(bot.wait_for_requests, 2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    assert bot.asks[0].state["status"] == status


def test_ctrl_c_takes_the_question_back_too(bot: Bot, signoff: Signoff) -> None:
    main = threading.get_ident()

    def interrupt(_: Ask) -> None:
        bot.wait_for_requests(2)
        signal.pthread_kill(main, signal.SIGINT)

    bot.decides = interrupt
    with pytest.raises(KeyboardInterrupt):
        signoff.ask("Deploy", "Now?")
    assert [asked.state["status"] for asked in bot.asks] == ["cancelled"]


class TestPace:
    """What is sent when, by a clock of the test."""

    def play(self, steps: Any, replies: list[Reply], clock: Clock) -> list[str]:
        """What was sent until the conversation ended, or the replies did."""
        sent: list[str] = []
        step = next(steps)
        try:
            while True:
                if isinstance(step, Pause):
                    sent.append(f"pause {step.seconds:.0f}")
                    clock.now += step.seconds
                    step = steps.send(Reply())
                else:
                    sent.append(f"{step.method} {step.path}")
                    if not replies:
                        return sent
                    clock.now += 50 if replies[0].status == 200 and replies[0].body is WAITING else 0
                    step = steps.send(replies.pop(0))
        except StopIteration as end:
            sent.append(end.value[0].status if isinstance(end.value, tuple) else end.value.status)
            return sent

    @pytest.fixture
    def clock(self) -> Clock:
        return Clock()

    @pytest.fixture
    def conversation(self, clock: Clock) -> Conversation:
        return Conversation("research", clock)

    @pytest.fixture
    def waiting(self) -> Answer:
        return Answer("r1", "waiting")

    def test_a_wait_asks_again_as_soon_as_signoff_lets_go(
        self, conversation: Conversation, clock: Clock, waiting: Answer
    ) -> None:
        replies = [Reply(200, WAITING), Reply(200, WAITING), Reply(200, APPROVED)]
        get = "GET /asks/r1?wait=50"
        assert self.play(conversation.wait(waiting), replies, clock) == [get, get, get, "decided"]

    def test_a_wait_pauses_where_signoff_answers_at_once(
        self, conversation: Conversation, clock: Clock, waiting: Answer
    ) -> None:
        replies = [Reply(200, dict(WAITING)), Reply(200, APPROVED)]
        get = "GET /asks/r1?wait=50"
        assert self.play(conversation.wait(waiting), replies, clock) == [get, "pause 2", get, "decided"]

    def test_a_wait_outlasts_any_outage(self, conversation: Conversation, clock: Clock, waiting: Answer) -> None:
        sent = self.play(conversation.wait(waiting), [*[Reply()] * 500, Reply(200, APPROVED)], clock)
        assert sent[-1] == "decided"
        assert clock.now > 3_600
        assert all(float(each.split()[1]) <= 30 for each in sent if each.startswith("pause"))

    def test_a_pause_that_signoff_names_is_kept(self, conversation: Conversation, clock: Clock) -> None:
        replies = [Reply(429, {}, 1_800), Reply(503, {}, 7), Reply(201, WAITING)]
        sent = self.play(conversation.post({"id": "a"}), replies, clock)
        assert sent == ["POST /asks", "pause 1800", "POST /asks", "pause 7", "POST /asks", "waiting"]

    def test_a_question_that_cannot_be_sent_ends_in_an_error(self, conversation: Conversation, clock: Clock) -> None:
        with pytest.raises(SignoffUnreachable, match=r"ConnectError.*Check SIGNOFF_URL, and that the bot runs"):
            self.play(conversation.post({"id": "a"}), [Reply(problem="ConnectError")] * 500, clock)
        assert 250 < clock.now <= 300

    def test_a_pause_beyond_the_timeout_ends_in_an_error_at_once(
        self, conversation: Conversation, clock: Clock, waiting: Answer
    ) -> None:
        with pytest.raises(AskRefused, match="429"):
            self.play(conversation.post({"id": "a"}, timeout=60), [Reply(429, {"message": "Too much."}, 1_800)], clock)
        with pytest.raises(AskTimeout):
            self.play(conversation.wait(waiting, timeout=60), [Reply(503, {}, 1_800)], clock)
        assert clock.now == 60

    @pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 409, 422])
    def test_a_refusal_is_sent_once(self, conversation: Conversation, clock: Clock, status: int) -> None:
        with pytest.raises(AskRefused):
            self.play(conversation.post({"id": "a"}), [Reply(status, "<html>")], clock)

    def test_an_address_that_is_not_signoff_is_named(self, conversation: Conversation, clock: Clock) -> None:
        with pytest.raises(SignoffUnreachable, match="isn't Signoff"):
            self.play(conversation.post({"id": "a"}), [Reply(200, None)], clock)


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_nothing_shows_the_token(bot: Bot, signoff: Signoff, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bot.faults = [(503, {"retry-after": "0"})]
    wrong = Signoff(bot.url, f"{TOKEN}-but-wrong", "research")
    with pytest.raises(AskRefused) as refused:
        wrong.ask("Deploy", "Now?")
    shown = [repr(signoff), str(vars(signoff)), repr(refused.value), str(refused.value), caplog.text]
    assert all(TOKEN not in each for each in shown)


def test_missing_settings_are_all_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SIGNOFF_URL", "SIGNOFF_ASK_TOKEN", "SIGNOFF_POLICY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ValueError, match=r"SIGNOFF_URL is missing.*SIGNOFF_ASK_TOKEN is.*SIGNOFF_POLICY is missing"):
        Signoff()
    with pytest.raises(ValueError, match="SIGNOFF_URL must be an address"):
        Signoff("signoff.example.com", "h0.x", "research")


def test_threads_and_tasks_share_one_client(bot: Bot, signoff: Signoff) -> None:
    deciding(bot)
    answers: list[Answer] = []
    ask_one: Callable[[], None] = lambda: answers.append(signoff.ask("Deploy", "Now?"))  # noqa: E731
    threads = [threading.Thread(target=ask_one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({answer.ref for answer in answers if answer.approved}) == 8


def test_all_that_is_exported_exists() -> None:
    assert all(getattr(signoff_agents, name) is not None for name in signoff_agents.__all__)
