"""What `signoff-crew` promises of flows, with the real CrewAI."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.frameworks.conftest import Start
from tests.service import Receiver, Service

pytestmark = pytest.mark.frameworks


def test_a_decision_takes_the_outcome_that_stands_for_it_without_a_model_and_rounds_follow(
    start: Start, receiver: Receiver
) -> None:
    service = start("served_flows:Letter")
    assert service.client.get("/inputs").json() == {"inputs": ["topic", "words"]}
    run = service.kickoff({"topic": "tea"}, receiver)
    first = receiver.nth("/ask", 1)
    assert first["task_id"] == first["task_name"] == "decide"
    assert first["task_output"] == "about tea"
    service.resume(first, approve=False, feedback="Do not get this approved before Monday.")
    second = receiver.nth("/ask", 2)
    assert second["task_output"] == "about tea Do not get this approved before Monday."
    service.resume(second, approve=True, feedback="Approved.")
    assert service.ended(run)["result"] == "published: about tea Do not get this approved before Monday."


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_flow_that_waits_outlives_its_process_and_no_method_before_the_question_works_again(
    start: Start, receiver: Receiver, tmp_path: Path, how: signal.Signals
) -> None:
    service = start("served_flows:Letter")
    run = service.kickoff({"topic": "tea"}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=False, feedback="Hot.")
    second = receiver.first("/ask", "about tea Hot.")
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
    assert asked["task_output"] == '{\n  "amount": 40\n}'
    assert receiver.at("/task") == []
    service.resume(asked, approve=False, feedback="Too much.", taskWebhookUrl=receiver.url("/task"))
    assert service.ended(run)["result"] == "Too much. 40"
    assert [receiver.nth("/task", 1)["name"]] == ["done"]


def test_a_flow_whose_outcomes_have_no_clear_meaning_is_not_served(tmp_path: Path) -> None:
    service = Service("tests.frameworks.served_flows:Unclear", tmp_path / "state")
    assert service.exit_code() == 1
    assert "The method decide has the outcomes ship, hold, scrap" in service.log()
    assert 'metadata={"approve": …, "reject": …}' in service.log()
