"""What a run remembers, without HTTP."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from signoff_agents.serve.records import Address, Addresses, Json, RunRecord
from signoff_agents.serve.requests import Refusal, Resume, parse_kickoff
from signoff_agents.serve.runs import Abandoned, Decision, Run, RunFailed, Runs
from signoff_agents.serve.stores import SqliteStore
from signoff_agents.serve.webhooks import Sender
from tests.service import Receiver, wait_until

PLAN = {"task-1": "draft", "task-2": "letter"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(str(tmp_path / "runs.db"))
    yield store
    store.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.close()


def new_run(store: SqliteStore, receiver: Receiver) -> Run:
    addresses = Addresses(human_input=Address(receiver.url("/ask")))
    run = Run(RunRecord("the-run", {}, addresses), store, Sender())
    run.begin(PLAN)
    return run


def restarted(store: SqliteStore) -> Run:
    """The run as the next process finds it."""
    data = store.load("the-run")
    assert data is not None
    run = Run(RunRecord.from_json(data), store, Sender())
    run.begin(PLAN)
    return run


def ask(run: Run, task_id: str, output: str) -> list[Decision]:
    """Asks in a thread of its own, and returns once the question is open. The list gets the decision."""
    decisions: list[Decision] = []

    def work() -> None:
        with contextlib.suppress(Abandoned):
            decisions.append(run.ask(task_id, PLAN[task_id], output))

    threading.Thread(target=work, daemon=True).start()
    wait_until(lambda: waits(run))
    return decisions


def decide(run: Run, task_id: str, *, approve: bool, feedback: str = "") -> None:
    run.resume(Resume("the-run", task_id, approve, feedback, Addresses()))


def store_without_a_word(store: SqliteStore) -> None:
    """The next record is stored, but whoever stores it is told otherwise."""
    save = store.save

    def fail(*given: Any, **more: Any) -> None:
        store.save = save  # type: ignore[method-assign]
        save(*given, **more)
        raise TimeoutError("the store said nothing")

    store.save = fail  # type: ignore[method-assign]


def status(run: Run) -> Json:
    return run.status()["status"]


def waits(run: Run) -> bool:
    return status(run) == "Pending Human Input"


def test_a_decision_never_applies_to_a_text_that_nobody_saw(store: SqliteStore, receiver: Receiver) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the first text")
    decide(run, "task-1", approve=True)

    # The next process comes to another text, so it is asked about anew.
    after = restarted(store)
    decisions = ask(after, "task-1", "another text")
    receiver.first("/ask", "another text")
    assert decisions == []
    decide(after, "task-1", approve=False, feedback="no")
    wait_until(lambda: decisions == [Decision(False, "another text", "no")])


def test_a_question_that_was_open_when_the_process_ended_is_answered_once(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the text")
    after = restarted(store)
    found: list[Decision | None] = []
    threading.Thread(target=lambda: found.append(after.recall("task-1")), daemon=True).start()
    decide(after, "task-1", approve=True, feedback="Fine.")
    wait_until(lambda: found == [Decision(True, "the text", "Fine.")])
    with pytest.raises(Refusal) as refusal:
        decide(after, "task-1", approve=True)
    assert refusal.value.status == 400


def test_rejections_are_remembered_and_an_approval_after_them_is_recalled(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    for text, approve in (("one", False), ("two", False), ("three", True)):
        decisions = ask(run, "task-1", text)
        decide(run, "task-1", approve=approve, feedback=f"about {text}")
        wait_until(lambda decisions=decisions: decisions != [])
    after = restarted(store)
    assert [each.feedback for each in after.rejections("task-1")] == ["about one", "about two"]
    assert after.recall("task-1") == Decision(True, "three", "about three")
    assert after.recall("task-1") is None


def test_a_rejection_is_remembered_though_the_next_process_comes_to_another_text(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "one")
    decide(run, "task-1", approve=False, feedback="about one")
    after = restarted(store)
    ask(after, "task-1", "another")
    assert [each.feedback for each in restarted(store).rejections("task-1")] == ["about one"]


def test_a_note_goes_to_the_first_task_that_starts_after_it_and_again_if_that_starts_again(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the text")
    decide(run, "task-1", approve=True, feedback="Sign it.")
    assert run.notes_for("task-1") == []
    assert run.notes_for("task-2") == [("draft", "Sign it.")]
    assert restarted(store).notes_for("task-2") == [("draft", "Sign it.")]
    assert run.notes_for("task-3") == []


def test_a_run_with_other_tasks_than_it_began_with_cannot_go_on(store: SqliteStore, receiver: Receiver) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the text")
    with pytest.raises(RunFailed, match="The crew was changed"):
        restarted(store).begin({"task-1": "draft"})


def test_a_decision_that_cannot_be_stored_is_not_taken(store: SqliteStore, receiver: Receiver) -> None:
    run = new_run(store, receiver)
    decisions = ask(run, "task-1", "the text")
    save = store.save

    def fail(*_: object, **__: object) -> None:
        raise OSError("the disk is full")

    store.save = fail  # type: ignore[method-assign]
    with pytest.raises(OSError, match="full"):
        decide(run, "task-1", approve=True)
    store.save = save  # type: ignore[method-assign]
    assert decisions == []
    assert waits(run)
    decide(run, "task-1", approve=False, feedback="no")
    wait_until(lambda: decisions == [Decision(False, "the text", "no")])


def test_a_decision_that_was_stored_although_its_client_was_told_otherwise_is_taken_back(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the text")
    wait_until(lambda: (store.load("the-run") or {}).get("last_notification") and run._record.outbox == [])
    store_without_a_word(store)
    with pytest.raises(TimeoutError):
        decide(run, "task-1", approve=True)
    wait_until(lambda: waits(restarted(store)))


def test_time_in_which_a_person_thinks_is_counted_for_its_task_alone(store: SqliteStore, receiver: Receiver) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the text")
    wait_until(lambda: run.waited("task-1") > 0.1)
    assert run.waited("task-2") == 0


def test_a_question_that_was_decided_before_its_process_ended_is_not_told_again(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    receiver.answer_with("/ask", 500)
    ask(run, "task-1", "the text")
    receiver.nth("/ask", 1)
    decide(run, "task-1", approve=True)
    data = store.load("the-run")
    assert data is not None
    assert data["outbox"]
    told = len(receiver.at("/ask"))
    after = Run(RunRecord.from_json(data), store, Sender())

    class Waiting:
        inputs: tuple[str, ...] = ()
        required: tuple[str, ...] = ()

        def run(self, *_: object) -> str:
            wait_until(lambda: after._record.outbox == [])
            return "the end"

    after.work(Waiting())  # type: ignore[arg-type]
    assert len(receiver.at("/ask")) == told


def test_tasks_that_the_run_did_not_begin_with_keep_their_names_by_their_words(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    assert [run.other_task("draft", words) for words in ("a", "b", "a")] == [
        "other-draft",
        "other-draft-2",
        "other-draft-3",
    ]
    decide_about = ask(run, "task-1", "the text")
    after = restarted(store)
    assert [after.other_task("draft", words) for words in ("b", "c", "a")] == [
        "other-draft-2",
        "other-draft-4",
        "other-draft",
    ]
    assert decide_about == []


def test_a_program_that_goes_on_from_a_later_point_takes_no_earlier_decision(
    store: SqliteStore, receiver: Receiver
) -> None:
    run = new_run(store, receiver)
    ask(run, "task-1", "the text")
    decide(run, "task-1", approve=True)
    after = restarted(store)
    after.go_past(after.question_counts())
    decisions = ask(after, "task-1", "the text")
    assert decisions == []


def test_an_address_that_no_client_can_use_stops_nothing(store: SqliteStore) -> None:
    address = Address(f"http://{'a' * 70}.example/")
    assert Sender().post(address, {}).kind == "later"


def test_a_task_whose_end_is_told_before_its_beginning_is_told_as_completed(
    store: SqliteStore, receiver: Receiver
) -> None:
    addresses = Addresses(task=Address(receiver.url("/task")))
    run = Run(RunRecord("the-run", {}, addresses), store, Sender())
    run.complete_task("publish", True, {"output": "done"})
    run.start_task("publish", "publish")
    assert receiver.nth("/task", 1)["name"] == "publish"


class Thinking:
    """Works until it is told otherwise, and counts how often it was started."""

    inputs: tuple[str, ...] = ()
    required: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.over = threading.Event()
        self.started: list[str] = []

    def run(self, _: object, run: Run) -> str:
        self.started.append(run.id)
        self.over.wait()
        return "the end"


@pytest.fixture
def thinking() -> Thinking:
    return Thinking()


def serving(store: SqliteStore, program: Thinking) -> Runs:
    runs = Runs(store, keep_days=1)
    runs.restore(program)  # type: ignore[arg-type]
    return runs


TEA = parse_kickoff({"inputs": {"topic": "tea"}}, ["k1"])


def test_a_kickoff_that_is_repeated_starts_once_even_at_the_same_moment(store: SqliteStore, thinking: Thinking) -> None:
    runs = serving(store, thinking)
    ids: list[str] = []
    threads = [threading.Thread(target=lambda: ids.append(runs.kickoff(TEA))) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ids) == 20
    assert len(set(ids)) == 1
    wait_until(lambda: thinking.started == [ids[0]])


def test_a_kickoff_is_known_again_after_a_restart_and_after_its_run_has_ended(
    tmp_path: Path, thinking: Thinking
) -> None:
    path = str(tmp_path / "kept.db")
    first = SqliteStore(path)
    run_id = serving(first, Thinking()).kickoff(TEA)
    first.close()
    second = SqliteStore(path)
    runs = serving(second, thinking)
    assert runs.kickoff(TEA) == run_id
    thinking.over.set()
    wait_until(lambda: runs.status(run_id)["state"] == "SUCCESS")
    assert runs.kickoff(TEA) == run_id
    second.close()


def test_another_kickoff_under_the_same_key_is_refused(store: SqliteStore, thinking: Thinking) -> None:
    runs = serving(store, thinking)
    runs.kickoff(TEA)
    runs.kickoff(parse_kickoff({"meta": {"requestId": "r1"}}))
    for other in (
        parse_kickoff({"inputs": {"topic": "coffee"}}, ["k1"]),
        parse_kickoff({"meta": {"requestId": "r1"}, "inputs": {"topic": "tea"}}),
        parse_kickoff({"meta": {"requestId": "r1"}}, ["k1"]),
    ):
        with pytest.raises(Refusal, match="Another kickoff was sent") as refusal:
            runs.kickoff(other)
        assert refusal.value.status == 422
    assert runs.kickoff(parse_kickoff({})) != runs.kickoff(parse_kickoff({}))


def test_a_kickoff_that_was_stored_although_its_client_was_told_otherwise_starts_when_it_is_repeated(
    store: SqliteStore, thinking: Thinking
) -> None:
    runs = serving(store, thinking)
    store_without_a_word(store)
    with pytest.raises(Refusal) as refusal:
        runs.kickoff(TEA)
    assert refusal.value.status == 503
    assert thinking.started == []
    run_id = runs.kickoff(TEA)
    wait_until(lambda: thinking.started == [run_id])


def test_a_run_that_ends_while_its_kickoff_is_repeated_does_not_start_again(
    store: SqliteStore, thinking: Thinking, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = serving(store, thinking)
    run_id = runs.kickoff(TEA)
    load = store.load

    def load_just_before_it_ends(wanted: str) -> dict[str, Json] | None:
        record = load(wanted)
        thinking.over.set()
        wait_until(lambda: run_id not in runs._open)
        return record

    monkeypatch.setattr(store, "load", load_just_before_it_ends)
    assert runs.kickoff(TEA) == run_id
    # A second run would begin in a thread of its own.
    time.sleep(0.2)
    assert thinking.started == [run_id]
