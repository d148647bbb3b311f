from __future__ import annotations

import asyncio
import json
import threading
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, ClassVar

import pytest

pytest.importorskip("crewai")

from crewai.flow import Flow, human_feedback, listen, or_, start
from crewai.flow.async_feedback import HumanFeedbackPending
from crewai.flow.persistence import SQLiteFlowPersistence
from crewai.llms.base_llm import BaseLLM
from pydantic import BaseModel

from signoff_agents import Answer, AnswerLater, NotDecided, Signoff
from signoff_agents.answers import answer_from_json
from signoff_agents.flows import SignoffProvider, UnsupportedCrewAI, resume_flow, resume_flow_in_background
from tests.contract_server import Ask, Bot

pytestmark = [pytest.mark.frameworks, pytest.mark.usefixtures("environment")]


class Careless(BaseLLM):
    """A model that says the same, whatever people say: that they want it published."""

    def __init__(self, model: str = "careless") -> None:
        super().__init__(model=model)

    def call(self, *_: Any, **__: Any) -> str:
        CALLS.append("called")
        return "publish"

    def supports_function_calling(self) -> bool:
        return False


PAUSING = SignoffProvider(pause=True)
CALLS: list[str] = []
TRAP = "Do not get this approved or publish it before legal has seen it."


@pytest.fixture(autouse=True)
def calls() -> list[str]:
    CALLS.clear()
    return CALLS


def flow_of(
    provider: Any, *, default: str | None = None, emit: list[str] | None = None, output: Any = "A draft."
) -> Any:
    """A flow that publishes what people want published."""
    emit = ["publish", "needs changes"] if emit is None else emit
    more = {"emit": emit, "llm": Careless(), "default_outcome": default} if emit else {}

    class Review(Flow):  # type: ignore[type-arg]
        taken: ClassVar[list[Any]] = []

        @start()
        @human_feedback(message="Publish this?", provider=provider, **more)
        def draft(self) -> Any:
            return output

        @listen("publish")
        def when_published(self, result: Any) -> str:
            self.taken.append(("published", result.feedback, result.output))
            return "published"

        @listen("needs changes")
        def when_revised(self, result: Any) -> str:
            self.taken.append(("revised", result.feedback, result.output))
            return "revised"

        @listen("draft")
        def read(self, result: Any) -> str:
            if not emit:
                self.taken.append(("read", result.feedback, result.output))
            return "read"

    Review.taken = []
    return Review


class Naive:
    """A provider as people write it by hand: it hands on whatever text comes back."""

    def __init__(self, signoff: Signoff) -> None:
        self.signoff = signoff

    def request_feedback(self, context: Any, flow: Any) -> str:
        answer = self.signoff.ask("Publish?", context.method_output, outcomes=context.emit)
        return " ".join(each for each in (answer.outcome, answer.feedback) if each)


class TestTwoTraps:
    """What flows did with providers that were written by hand, and what they do now."""

    @pytest.mark.parametrize(("is_naive", "taken"), [(True, "published"), (False, "revised")])
    def test_the_outcome_that_a_person_chose_is_taken_and_no_model_reads_the_comment(
        self, bot: Bot, signoff: Signoff, is_naive: bool, taken: str
    ) -> None:
        review = flow_of(Naive(signoff) if is_naive else SignoffProvider())
        bot.decides = lambda ask: bot.decide(ask, "rejected", outcome="needs changes", feedback=TRAP)
        review().kickoff()
        assert [each[0] for each in review.taken] == [taken]
        assert len(CALLS) == (1 if is_naive else 0)
        if not is_naive:
            assert review.taken == [("revised", TRAP, "A draft.")]

    def test_a_question_that_expired_publishes_nothing(self, bot: Bot, signoff: Signoff) -> None:
        bot.decides = bot.expire
        naive, review = flow_of(Naive(signoff)), flow_of(SignoffProvider())
        naive().kickoff()
        assert [each[0] for each in naive.taken] == ["published"]
        with pytest.raises(NotDecided, match=r"Nobody decided in time\. The method draft has no way for that"):
            review().kickoff()
        assert review.taken == []


class TestAnswers:
    @pytest.mark.parametrize("ends", ["expire", "close"])
    def test_without_a_decision_the_flow_takes_its_default(self, bot: Bot, ends: str) -> None:
        bot.decides = getattr(bot, ends)
        review = flow_of(SignoffProvider(), default="needs changes")
        assert review().kickoff() == "revised"
        assert review.taken == [("revised", "", "A draft.")]
        assert CALLS == []

    def test_an_outcome_without_a_comment_is_taken_too(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask, outcome="needs changes")
        review = flow_of(SignoffProvider(), default="publish")
        assert review().kickoff() == "revised"
        assert review.taken == [("revised", "needs changes", "A draft.")]

    def test_a_rejection_without_an_outcome_takes_no_outcome(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask, "rejected", feedback="Never.")
        with pytest.raises(NotDecided, match=r"Maria rejected: Never\. The method draft has no outcome for"):
            flow_of(SignoffProvider(), default="publish")().kickoff()

    @pytest.mark.parametrize("decision", ["approved", "rejected"])
    def test_a_single_outcome_is_taken_only_by_an_approval(self, bot: Bot, decision: str) -> None:
        outcome = "publish" if decision == "approved" else None
        bot.decides = lambda ask: bot.decide(ask, decision, outcome=outcome, feedback="Fine.")
        review = flow_of(SignoffProvider(), emit=["publish"])
        if decision == "approved":
            assert review().kickoff() == "published"
            return
        with pytest.raises(NotDecided, match="add one to emit"):
            review().kickoff()

    @pytest.mark.parametrize(
        ("decision", "comment", "feedback"),
        [
            ("approved", None, "Approved."),
            ("approved", "After lunch.", "Approved. After lunch."),
            ("rejected", "Shorter, please.", "Shorter, please."),
            ("rejected", None, "Rejected."),
        ],
    )
    def test_without_outcomes_the_flow_reads_what_people_said(
        self, bot: Bot, decision: str, comment: str | None, feedback: str
    ) -> None:
        bot.decides = lambda ask: bot.decide(ask, decision, feedback=comment)
        review = flow_of(SignoffProvider(), emit=[])
        review().kickoff()
        assert review.taken == [("read", feedback, "A draft.")]
        assert "outcomes" not in bot.asks[0].body

    def test_a_free_text_is_the_feedback(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask, answer={"answer": "Teal."})
        review = flow_of(SignoffProvider(free_text=True), emit=[])
        review().kickoff()
        assert review.taken == [("read", "Teal.", "A draft.")]

    def test_the_result_says_who_decided(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask, outcome="publish")
        flow = flow_of(SignoffProvider())()
        flow.kickoff()
        if hasattr(flow, "_run_human_feedback_step"):
            told = flow.last_human_feedback.metadata["signoff"]
            assert (told["ref"], told["decision"], told["by"]["id"]) == ("ref-1", "approved", "U_MARIA")

    def test_a_flow_that_cannot_take_a_choice_asks_nobody(self, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
        # As a later version may have it.
        names = ("_finalize_human_feedback", "_collapse_to_outcome")
        for owner, name in [(owner, name) for owner in Flow.__mro__ for name in names if name in vars(owner)]:
            monkeypatch.delattr(owner, name)
        with pytest.raises(UnsupportedCrewAI, match="nobody was asked"):
            flow_of(SignoffProvider())().kickoff()
        assert bot.asks == []

    @pytest.mark.skipif(not hasattr(Flow, "_run_human_feedback_step"), reason="Until 1.14, emit needs a model.")
    def test_a_flow_needs_no_model_at_all(self, bot: Bot) -> None:
        class Review(Flow):  # type: ignore[type-arg]
            @start()
            @human_feedback(message="Publish this?", emit=["publish", "needs changes"], provider=SignoffProvider())
            def draft(self) -> str:
                return "A draft."

            @listen("needs changes")
            def when_revised(self) -> str:
                return "revised"

        bot.decides = lambda ask: bot.decide(ask, "rejected", outcome="needs changes", feedback=TRAP)
        assert Review().kickoff() == "revised"

    def test_an_async_method_waits_beside_others(self, bot: Bot) -> None:
        class Review(Flow):  # type: ignore[type-arg]
            @start()
            @human_feedback(message="One?", provider=SignoffProvider())
            async def one(self) -> str:
                return "One."

            @start()
            @human_feedback(message="Two?", provider=SignoffProvider())
            async def two(self) -> str:
                return "Two."

        def decide(last: Ask) -> None:
            for ask in bot.asks if last.ref == "ref-2" else []:
                bot.decide(ask, feedback=ask.body["title"])

        bot.decides = decide
        flow = Review()
        asyncio.run(flow.kickoff_async())
        assert {each.feedback for each in flow.human_feedback_history} == {"Approved. One?", "Approved. Two?"}


class Price(BaseModel):
    amount: int
    currency: str = "EUR"


class TestQuestions:
    def test_people_see_the_message_as_the_title_and_the_output_as_the_text(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask, outcome="publish")
        flow = flow_of(SignoffProvider(expires_in="4h", channel="reviews"), output=Price(amount=3))()
        flow.kickoff()
        body = bot.asks[0].body
        assert body["title"] == "Publish this?"
        assert json.loads(body["text"]) == {"amount": 3, "currency": "EUR"}
        assert (body["outcomes"], body["expires_in"], body["channel"]) == (
            ["publish", "needs changes"],
            "4h",
            "reviews",
        )
        assert body["thread"] == f"flow/{flow.flow_id}/draft"

    def test_a_long_message_goes_on_in_the_text(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask)
        message = f"Publish {'very ' * 60}soon?\n\nThink of legal."

        class Long(Flow):  # type: ignore[type-arg]
            @start()
            @human_feedback(message=message, provider=SignoffProvider(), metadata={"inputs": {"amount": 40}})
            def draft(self) -> str:
                return "A draft."

        Long().kickoff()
        body = bot.asks[0].body
        assert len(body["title"]) <= 150
        assert body["title"].endswith("…")
        assert body["text"] == f"{message}\n\n---\n\nA draft."
        assert body["inputs"] == {"amount": 40}

    @pytest.mark.parametrize(
        ("output", "edited", "taken"),
        [("A draft.", "Another.", "Another."), (Price(amount=3), '{"amount": 4}', Price(amount=4))],
    )
    def test_an_output_that_was_approved_with_edits_is_the_edited_one(
        self, bot: Bot, output: Any, edited: str, taken: Any
    ) -> None:
        bot.decides = lambda ask: bot.decide(ask, outcome="publish", edited_text=edited)
        review = flow_of(SignoffProvider(), output=output)
        if not hasattr(review, "_run_human_feedback_step"):
            with pytest.raises(NotDecided, match="can't replace an output"):
                review().kickoff()
            return
        review().kickoff()
        assert review.taken == [("published", "publish", taken)]

    def test_edits_that_do_not_fit_are_not_taken(self, bot: Bot) -> None:
        bot.decides = lambda ask: bot.decide(ask, outcome="publish", edited_text='{"amount": "much"}')
        review = flow_of(SignoffProvider(), output=Price(amount=3))
        with pytest.raises(NotDecided, match="The edits with which Maria approved can't be used"):
            review().kickoff()
        assert review.taken == []

    def test_ask_gets_a_text_or_none(self, bot: Bot) -> None:
        answers: list[Any] = []

        class Asking(Flow):  # type: ignore[type-arg]
            input_provider: Any = SignoffProvider()

            @start()
            def begin(self) -> None:
                answers.append(self.ask("Which colour?"))
                answers.append(self.ask("Which colour?"))

        def decide(ask: Ask) -> None:
            assert ask.body["fields"] == [{"name": "answer", "label": "Your answer", "type": "long_text"}]
            if len(bot.asks) == 1:
                bot.decide(ask, answer={"answer": "Teal."})
            else:
                bot.decide(ask, "rejected")

        bot.decides = decide
        Asking().kickoff()
        assert answers == ["Teal.", None]


def loop_of(provider: Any) -> Any:
    """A flow that asks the same about the same text until people publish it."""

    class Loop(Flow):  # type: ignore[type-arg]
        taken: ClassVar[list[str]] = []

        @start()
        def begin(self) -> str:
            return "begun"

        @listen(or_("begin", "needs changes"))
        @human_feedback(message="Publish this?", emit=["publish", "needs changes"], llm=Careless(), provider=provider)
        def draft(self) -> str:
            self.taken.append("drafted")
            return "The same draft."

        @listen("publish")
        def when_published(self) -> str:
            self.taken.append("published")
            return "published"

    Loop.taken = []
    return Loop


class TestRounds:
    def test_a_second_round_about_the_same_text_is_asked_in_the_same_thread(self, bot: Bot) -> None:
        outcomes = ["needs changes", "needs changes", "publish"]
        bot.decides = lambda ask: bot.decide(ask, outcome=outcomes[len(bot.asks) - 1])
        loop = loop_of(SignoffProvider())
        loop().kickoff()
        assert loop.taken == ["drafted", "drafted", "drafted", "published"]
        assert len({ask.body["id"] for ask in bot.asks}) == 3
        assert len({ask.body["thread"] for ask in bot.asks}) == 1

    def test_a_flow_that_starts_again_waits_for_the_question_that_waits(self, bot: Bot) -> None:
        review = flow_of(SignoffProvider())

        def kickoff() -> None:
            review().kickoff(inputs={"id": "flow-7"})

        threads = [threading.Thread(target=kickoff) for _ in range(2)]
        for thread in threads:
            thread.start()
        bot.wait_for_requests(4)
        assert len(bot.asks) == 1
        bot.decide(bot.asks[0], outcome="publish")
        for thread in threads:
            thread.join()
        assert len(review.taken) == 2

    def test_an_old_decision_counts_for_no_new_run(self, bot: Bot) -> None:
        review = flow_of(SignoffProvider())
        bot.decides = lambda ask: bot.decide(ask, outcome="publish" if len(bot.asks) == 1 else "needs changes")
        results = [review().kickoff(inputs={"id": "nightly"}) for _ in range(2)]
        assert (results, len(bot.asks)) == (["published", "revised"], 2)

    def test_a_named_run_takes_what_was_decided_while_it_was_away(self, bot: Bot) -> None:
        outcomes = ["needs changes", "publish"]
        bot.decides = lambda ask: bot.decide(ask, outcome=outcomes[len(bot.asks) - 1])
        for _ in range(2):
            loop = loop_of(SignoffProvider(run="deploy-1.4"))
            loop().kickoff(inputs={"id": "deploy"})
            assert loop.taken == ["drafted", "drafted", "published"]
        assert len(bot.asks) == 2


class TestPausing:
    @pytest.fixture
    def persistence(self, tmp_path: Path) -> SQLiteFlowPersistence:
        return SQLiteFlowPersistence(str(tmp_path / "flows.db"))

    def paused(self, review: Any, persistence: Any) -> HumanFeedbackPending:
        pending = review(persistence=persistence).kickoff()
        assert isinstance(pending, HumanFeedbackPending)
        return pending

    def told(self, bot: Bot, ask: Ask, **more: Any) -> Answer:
        """The answer as its callback has it, long after it was decided."""
        return answer_from_json({**bot.callback(ask)["data"], "decided_at": "2026-01-01T10:00:00.000Z", **more})

    def test_a_flow_pauses_and_its_callback_resumes_it_once(self, bot: Bot, persistence: Any, tmp_path: Path) -> None:
        callback = "https://here.example/answers"
        review = flow_of(SignoffProvider(pause=True, callback=callback))
        pending = self.paused(review, persistence)
        assert pending.callback_info["ref"] == "ref-1"
        assert bot.asks[0].body["callback"] == callback
        bot.decide(bot.asks[0], "rejected", outcome="needs changes", feedback=TRAP)
        answer = self.told(bot, bot.asks[0])
        # Another process: it has nothing but the class and what is stored.
        elsewhere = SQLiteFlowPersistence(str(tmp_path / "flows.db"))
        assert resume_flow(review, answer, elsewhere) == "revised"
        assert resume_flow(review, answer, persistence) is None
        assert review.taken == [("revised", TRAP, "A draft.")]
        assert CALLS == []

    def test_rounds_of_a_paused_flow_are_told_apart(self, bot: Bot, persistence: Any) -> None:
        loop = loop_of(SignoffProvider(pause=True))
        self.paused(loop, persistence)
        bot.decide(bot.asks[0], outcome="needs changes")
        first = self.told(bot, bot.asks[0])
        assert isinstance(resume_flow(loop, first, persistence), HumanFeedbackPending)
        assert resume_flow(loop, first, persistence) is None
        assert (len(bot.asks), loop.taken) == (2, ["drafted", "drafted"])
        bot.decide(bot.asks[1], outcome="publish", feedback="needs changes? no")
        assert resume_flow(loop, self.told(bot, bot.asks[1]), persistence) == "published"
        assert CALLS == []

    def test_a_flow_that_has_no_way_for_an_answer_stays_paused(self, bot: Bot, persistence: Any) -> None:
        review = flow_of(SignoffProvider(pause=True))
        self.paused(review, persistence)
        bot.expire(bot.asks[0])
        for _ in range(2):
            with pytest.raises(NotDecided):
                resume_flow(review, self.told(bot, bot.asks[0]), persistence)
        assert review.taken == []
        by_default = flow_of(SignoffProvider(pause=True), default="needs changes")
        self.paused(by_default, persistence)
        bot.close(bot.asks[1])
        assert resume_flow(by_default, self.told(bot, bot.asks[1]), persistence) == "revised"

    def test_an_answer_that_is_faster_than_the_flow_comes_again(self, bot: Bot, persistence: Any) -> None:
        review = flow_of(SignoffProvider(pause=True))
        now = datetime.now(timezone.utc).isoformat()
        answer = Answer("r1", "decided", id="flow/f1/draft/abc/0", decision="approved", outcome="publish")
        early = answer_from_json(
            {"ref": "r1", "id": answer.id, "status": "decided", "decision": "approved", "decided_at": now}
        )
        for resume in (resume_flow, resume_flow_in_background):
            with pytest.raises(AnswerLater, match="isn't stored yet"):
                resume(review, early, persistence)

    def test_edits_and_feedback_without_outcomes_reach_a_flow_that_paused(self, bot: Bot, persistence: Any) -> None:
        review = flow_of(SignoffProvider(pause=True), emit=[])
        self.paused(review, persistence)
        bot.decide(bot.asks[0], edited_text="Edited.", feedback="A typo.")
        resume_flow(review, self.told(bot, bot.asks[0]), persistence)
        assert review.taken == [("read", "Approved. A typo.", "Edited.")]

    def test_a_receiver_is_not_kept_while_the_flow_goes_on(self, bot: Bot, persistence: Any) -> None:
        goes_on, results, ended = threading.Event(), [], threading.Event()

        class Slow(Flow):  # type: ignore[type-arg]
            @start()
            @human_feedback(message="Publish this?", provider=SignoffProvider(pause=True))
            def draft(self) -> str:
                return "A draft."

            @listen("draft")
            def publish(self) -> str:
                assert goes_on.wait(10)
                return "published"

        def on_end(result: Any) -> None:
            results.append(result)
            ended.set()

        self.paused(Slow, persistence)
        bot.decide(bot.asks[0])
        resume_flow_in_background(Slow, self.told(bot, bot.asks[0]), persistence, on_end=on_end)
        assert results == []
        goes_on.set()
        assert ended.wait(10)
        resume_flow_in_background(Slow, self.told(bot, bot.asks[0]), persistence, on_end=on_end)
        assert results == ["published"]

    def test_a_failure_before_the_flow_has_the_answer_is_raised_and_one_after_is_logged(
        self, bot: Bot, persistence: Any, caplog: pytest.LogCaptureFixture
    ) -> None:
        class Failing(Flow):  # type: ignore[type-arg]
            @start()
            @human_feedback(message="Publish this?", emit=["publish", "wait"], llm="gpt-4o-mini", provider=PAUSING)
            def draft(self) -> str:
                return "A draft."

            @listen("publish")
            def when_published(self) -> str:
                raise RuntimeError("The press is broken.")

        for _ in range(2):
            self.paused(Failing, persistence)
        bot.expire(bot.asks[0])
        with pytest.raises(NotDecided):
            resume_flow_in_background(Failing, self.told(bot, bot.asks[0]), persistence)
        bot.decide(bot.asks[1], outcome="publish")
        resume_flow_in_background(Failing, self.told(bot, bot.asks[1]), persistence)
        for thread in threading.enumerate():
            if thread.name.startswith("flow "):
                thread.join()
        assert "failed after that" in caplog.text
        assert resume_flow(Failing, self.told(bot, bot.asks[1]), persistence) is None

    def test_it_resumes_within_an_event_loop_too(self, bot: Bot, persistence: Any) -> None:
        review = flow_of(SignoffProvider(pause=True))
        self.paused(review, persistence)
        bot.decide(bot.asks[0], outcome="publish")

        async def in_a_loop() -> Any:
            return resume_flow(review, self.told(bot, bot.asks[0]), persistence)

        assert asyncio.run(in_a_loop()) == "published"

    def test_an_answer_to_something_else_is_an_error(self, persistence: Any) -> None:
        with pytest.raises(ValueError, match="isn't the answer to a question that a flow asked"):
            resume_flow(flow_of(SignoffProvider()), Answer("r1", "decided", id="deploy-1.4"), persistence)
