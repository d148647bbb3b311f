"""What `signoff-crew` promises of flows, with the real CrewAI."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.frameworks.conftest import IS_CREWAI_1_14, Start, result_after_a_kill
from tests.service import Receiver, Service, wait_until

pytestmark = [
    pytest.mark.frameworks,
    pytest.mark.skipif(IS_CREWAI_1_14, reason="signoff-crew serves no flows of CrewAI 1.14"),
]

LETTER = "Publish this letter? (Approve: approved. Reject: rejected.)\n\n"


def test_a_decision_takes_the_outcome_that_stands_for_it_without_a_model_and_rounds_follow(
    start: Start, receiver: Receiver
) -> None:
    service = start("served_flows:Letter")
    assert service.client.get("/inputs").json() == {"inputs": ["topic"]}
    run = service.kickoff({"topic": "tea"}, receiver)
    first = receiver.nth("/ask", 1)
    assert first["task_id"] == first["task_name"] == "decide"
    # The question stands above what it is about, with what the two answers mean.
    assert first["task_output"] == LETTER + "about tea"
    service.resume(first, approve=False, feedback="Do not get this approved before Monday.")
    second = receiver.nth("/ask", 2)
    assert second["task_output"] == LETTER + "about tea Do not get this approved before Monday."
    service.resume(second, approve=True, feedback="Approved.")
    assert service.ended(run)["result"] == "published: about tea Do not get this approved before Monday."


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_flow_that_waits_outlives_its_process_and_no_method_before_the_question_works_again(
    start: Start, receiver: Receiver, tmp_path: Path, how: signal.Signals
) -> None:
    service = start("served_flows:Letter")
    run = service.kickoff({"topic": "tea"}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=False, feedback="Hot.")
    second = receiver.first("/ask", LETTER + "about tea Hot.")
    service.stop(how)
    service = start("served_flows:Letter")
    assert service.status(run)["status"] == "Pending Human Input"
    service.resume(second, approve=True, feedback="Approved with these edits:\nDear all,\ntea.")
    assert service.ended(run)["result"] == "published: Dear all,\ntea."
    worked = (tmp_path / "model.log").read_text().split()
    assert worked == ["collect", "write", "write", "publish"]


def test_a_flow_without_outcomes_gets_the_words_of_the_person(start: Start, receiver: Receiver) -> None:
    service = start("served_flows:Plain")
    run = service.kickoff({}, receiver, taskWebhookUrl=receiver.url("/task"))
    asked = receiver.nth("/ask", 1)
    assert asked["task_output"] == 'Is this good?\n\n{\n  "amount": 40\n}'
    assert receiver.at("/task") == []
    service.resume(asked, approve=False, feedback="Too much.", taskWebhookUrl=receiver.url("/task"))
    assert service.ended(run)["result"] == "Too much. 40"
    assert [receiver.nth("/task", 1)["name"]] == ["done"]


@pytest.mark.parametrize("flow", ["Unclear", "Inherited"])
def test_a_flow_whose_outcomes_have_no_clear_meaning_is_not_served(tmp_path: Path, flow: str) -> None:
    service = Service(f"tests.frameworks.served_flows:{flow}", tmp_path / "state")
    assert service.exit_code() == 1
    assert "The method decide has the outcomes ship, hold, scrap" in service.log()
    assert 'metadata={"approve": …, "reject": …}' in service.log()


def test_after_a_restart_an_earlier_decision_of_another_method_is_not_taken_for_a_new_one(
    start: Start, receiver: Receiver
) -> None:
    service = start("served_flows:Reviewed")
    run = service.kickoff({}, receiver)
    service.resume(receiver.first("/ask", "the contract"), approve=True)
    sign = receiver.first("/ask", "the signature")
    service.stop()
    service = start("served_flows:Reviewed")
    webhook = {"humanInputWebhook": {"url": receiver.url("/again")}}
    asked_before = len(receiver.at("/ask"))
    service.resume(sign, approve=False, feedback="Not yet.", **webhook)
    lawyers = receiver.nth("/ask", asked_before + 1)
    assert lawyers["task_output"].endswith("the contract")
    service.resume(lawyers, approve=True)
    service.resume(receiver.nth("/again", 1), approve=True)
    assert service.ended(run)["result"] == "signed"


def test_a_method_that_waits_for_two_remembers_the_first_after_a_restart(start: Start, receiver: Receiver) -> None:
    assert result_after_a_kill(start, receiver, "served_flows:Joined") == "both"


def test_a_flow_that_worked_elsewhere_while_a_person_thought_fails_after_a_restart_and_says_so(
    start: Start, receiver: Receiver, tmp_path: Path
) -> None:
    service = start("served_flows:Beside")
    run = service.kickoff({}, receiver)
    receiver.nth("/ask", 1)
    wait_until((tmp_path / "model.log").exists)
    service.stop(signal.SIGKILL)
    assert "several methods at once" in start("served_flows:Beside").ended(run)["error"]


def test_a_state_that_json_cannot_hold_only_counts_after_a_restart(start: Start, receiver: Receiver) -> None:
    service = start("served_flows:Holding")
    run = service.kickoff({}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=True)
    assert service.ended(run)["result"] == "held"
    run = service.kickoff({}, receiver)
    receiver.nth("/ask", 2)
    service.stop(signal.SIGKILL)
    assert "its state holds" in start("served_flows:Holding").ended(run)["error"]


def test_tasks_of_one_name_in_two_crews_of_a_flow_each_get_their_own_decision(start: Start, receiver: Receiver) -> None:
    service = start("served_flows:TwoCrews")
    run = service.kickoff({}, receiver)
    ann, ben = (receiver.first("/ask", f"{writer} writes about tea") for writer in ("ann", "ben"))
    assert {ann["task_id"], ben["task_id"]} == {"other-draft", "other-draft-2"}
    service.resume(ann, approve=False, feedback="matcha")
    service.resume(receiver.first("/ask", "ann writes about tea, matcha"), approve=True)
    service.resume(ben, approve=True)
    assert service.ended(run)["result"] == "ann writes about tea, matcha and ben writes about tea"


def test_a_crew_that_a_flow_awaits_asks_as_well_and_tells_the_next_one_nothing(
    start: Start, receiver: Receiver
) -> None:
    service = start("served_flows:CrewsInTurn")
    run = service.kickoff({}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=False, feedback="oolong")
    again = receiver.nth("/ask", 2)
    assert again["task_output"] == "ann writes about tea, oolong"
    service.resume(again, approve=True)
    ben = receiver.nth("/ask", 3)
    assert ben["task_output"] == "ben writes about tea"
    service.resume(ben, approve=True)
    assert service.ended(run)["result"] == "ann writes about tea, oolong and ben writes about tea"


def test_a_flow_that_goes_on_in_another_process_has_the_arguments_that_it_was_made_with(
    start: Start, receiver: Receiver
) -> None:
    assert result_after_a_kill(start, receiver, "served_flows:styled") == "fancy tea"
