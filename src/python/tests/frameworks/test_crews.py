"""What `signoff-crew` promises, with the real CrewAI."""

from __future__ import annotations

import importlib.util
import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frameworks.conftest import IS_CREWAI_1_14, Start, result_after_a_kill
from tests.service import TOKEN, Receiver, wait_until

pytestmark = pytest.mark.frameworks


@pytest.fixture
def told(tmp_path: Path) -> Callable[[], list[dict[str, Any]]]:
    """What the models were told, call by call."""
    return lambda: [json.loads(line) for line in (tmp_path / "model.log").read_text().splitlines()]


def test_a_rejection_reaches_the_model_word_for_word_and_the_approved_text_is_the_result(
    start: Start, receiver: Receiver, told: Callable[[], list[dict[str, Any]]]
) -> None:
    service = start("crews:one")
    assert service.client.get("/inputs").json() == {"inputs": ["topic"]}
    run = service.kickoff({"topic": "tea"}, receiver)
    first = receiver.nth("/ask", 1)
    assert first == {
        "execution_id": run,
        "task_id": "task-1",
        "task_name": "draft",
        "task_output": "ann writes about tea",
    }
    assert service.status(run)["status"] == "Pending Human Input"
    feedback = "Mention oolong.\n" + "More. " * 500
    assert service.resume(first, approve=False, feedback=feedback).json()["status"] == "retrying"
    second = receiver.nth("/ask", 2)
    assert second["task_output"] == "ann writes about tea, oolong"
    assert any(feedback in message for message in told()[-1]["told"])
    assert service.resume(second, approve=True, feedback="Approved.").json()["status"] == "resumed"
    assert service.ended(run) == {"state": "SUCCESS", "status": "completed", "result": "ann writes about tea, oolong"}


def test_each_decision_reaches_its_own_task_where_two_wait_at_once(start: Start, receiver: Receiver) -> None:
    service = start("crews:two_at_once")
    for number in range(3):
        ask, left_again = f"/ask-{number}", f"/left-{number}"
        run = service.kickoff({"topic": "tea"}, receiver, ask)
        asked = {each["task_name"]: each for each in (receiver.nth(ask, 1), receiver.nth(ask, 2))}
        assert asked["left"]["task_output"] == "ann writes about tea"
        assert asked["right"]["task_output"] == "ben writes about tea"
        assert service.resume(asked["right"], approve=True).status_code == 200
        webhook = {"humanInputWebhook": {"url": receiver.url(left_again)}}
        assert service.resume(asked["left"], approve=False, feedback="matcha", **webhook).status_code == 200
        # It is asked again at the address that its own resume gave.
        again = receiver.nth(left_again, 1)
        assert again["task_output"] == "ann writes about tea, matcha"
        assert service.resume(asked["right"], approve=True).status_code == 400
        assert service.resume(again, approve=True).status_code == 200
        assert service.ended(run)["result"] == "cleo writes about tea, matcha"
        assert len(receiver.at(ask)) == 2


def test_each_run_has_a_crew_of_its_own_even_if_agents_have_the_same_role(start: Start, receiver: Receiver) -> None:
    service = start("crews:same_role")
    run = service.kickoff({"topic": "tea"}, receiver, taskWebhookUrl=receiver.url("/task"))
    assert service.ended(run)["result"] == "second writes about tea"
    assert [receiver.nth("/task", number)["output"] for number in (1, 2)] == [
        "first writes about tea",
        "second writes about tea",
    ]


def test_the_note_of_an_approval_is_context_of_the_next_task_and_of_no_other(
    start: Start, receiver: Receiver, told: Callable[[], list[dict[str, Any]]]
) -> None:
    service = start("crews:chain")
    run = service.kickoff({"topic": "tea"}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=True, feedback="Sign it as the tea club.")
    letter = receiver.nth("/ask", 2)
    assert letter["task_name"] == "letter"
    calls = told()
    assert [any("Sign it as the tea club." in each for each in call["told"]) for call in calls] == [False, True]
    service.resume(letter, approve=True, feedback="Approved with these edits:\nDear all,\ntea is ready.")
    assert service.ended(run)["result"] == "Dear all,\ntea is ready."


def test_the_time_in_which_a_person_thinks_is_no_part_of_max_execution_time(start: Start, receiver: Receiver) -> None:
    service = start("crews:impatient")
    run = service.kickoff({"topic": "tea"}, receiver)
    first = receiver.nth("/ask", 1)
    time.sleep(3)
    service.resume(first, approve=False, feedback="sencha")
    second = receiver.nth("/ask", 2)
    service.resume(second, approve=True)
    assert service.ended(run)["result"] == "ann writes about tea, sencha"


def test_a_text_that_a_guardrail_refuses_after_its_approval_is_asked_about_again(
    start: Start, receiver: Receiver
) -> None:
    service = start("crews:guarded")
    run = service.kickoff({"topic": "tea"}, receiver, taskWebhookUrl=receiver.url("/task"))
    task, again = receiver.url("/task-2"), {"url": receiver.url("/again")}
    service.resume(receiver.nth("/ask", 1), approve=True, humanInputWebhook=again, taskWebhookUrl=task)
    second = receiver.nth("/again", 1)
    assert second["task_output"] == "ann writes about tea"
    service.resume(second, approve=True, taskWebhookUrl=task)
    assert service.ended(run)["result"] == "ann writes about tea (stamped)"
    # A task is told as completed only once it is, and at the address that the last resume gave.
    assert receiver.nth("/task-2", 1)["output"] == "ann writes about tea (stamped)"
    assert receiver.at("/task") == []


def test_a_model_that_fails_after_a_rejection_is_given_the_feedback_again(
    start: Start, receiver: Receiver, tmp_path: Path
) -> None:
    flag = tmp_path / "fail"
    flag.touch()
    service = start("crews:one", FAIL_ONCE=str(flag))
    run = service.kickoff({"topic": "tea"}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=False, feedback="Feedback: matcha")
    second = receiver.nth("/ask", 2)
    assert not flag.exists()
    assert second["task_output"] == "ann writes about tea, matcha"
    service.resume(second, approve=True)
    assert service.ended(run)["state"] == "SUCCESS"


def test_steps_are_told_while_a_task_works_and_its_end_once_it_is_approved(start: Start, receiver: Receiver) -> None:
    service = start("crews:researching")
    events = {f"{each}WebhookUrl": receiver.url(f"/{each}") for each in ("task", "step", "crew")}
    run = service.kickoff({"topic": "tea"}, receiver, **events)
    step = receiver.nth("/step", 1)
    assert (step["agent"], step["tool"], step["result"]) == ("researcher", "look_up", "tea is a drink")
    asked = receiver.nth("/ask", 1)
    assert receiver.at("/task") == []
    service.resume(asked, approve=True, **events)
    assert receiver.nth("/task", 1)["name"] == "draft"
    end = receiver.nth("/crew", 1)
    assert (end["kickoff_id"], end["status"]) == (run, "completed")


def test_a_failure_is_told_without_what_the_exception_says(start: Start, receiver: Receiver) -> None:
    service = start("crews:broken")
    run = service.kickoff({"topic": "tea"}, receiver, crewWebhookUrl=receiver.url("/crew"))
    status = service.ended(run)
    assert status["error"] == f"“draft” failed (ValueError). The log of the crew's service says more, under {run}."
    assert receiver.nth("/crew", 1)["error"] == status["error"]
    assert "secret-of-the-database" in service.log()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_waits_for_a_person_outlives_its_process_without_a_call_of_the_model(
    start: Start, receiver: Receiver, told: Callable[[], list[dict[str, Any]]], how: signal.Signals
) -> None:
    service = start("crews:chain")
    run = service.kickoff({"topic": "tea"}, receiver)
    service.resume(receiver.nth("/ask", 1), approve=True)
    letter = receiver.nth("/ask", 2)
    service.stop(how)
    calls = len(told())
    service = start("crews:chain")
    assert service.status(run)["status"] == "Pending Human Input"
    service.resume(letter, approve=False, feedback="sencha")
    again = receiver.first("/ask", "ben writes about tea, sencha")
    assert len(told()) == calls + 1
    service.stop(how)
    service = start("crews:chain")
    service.resume(again, approve=True)
    assert service.ended(run)["result"] == "ben writes about tea, sencha"
    assert len(told()) == calls + 1


def test_two_tasks_that_wait_at_once_outlive_their_process(start: Start, receiver: Receiver) -> None:
    service = start("crews:two_at_once")
    run = service.kickoff({"topic": "tea"}, receiver)
    asked = {each["task_name"]: each for each in (receiver.nth("/ask", 1), receiver.nth("/ask", 2))}
    service.resume(asked["right"], approve=True)
    service.stop(signal.SIGKILL)
    service = start("crews:two_at_once")
    assert service.resume(asked["right"], approve=True).status_code == 400
    assert service.resume(asked["left"], approve=True).status_code == 200
    assert service.ended(run)["result"] == "cleo writes about tea"


def test_a_run_goes_on_though_its_crew_could_not_be_made_at_once_and_its_task_has_other_words(
    start: Start, receiver: Receiver, tmp_path: Path
) -> None:
    away = tmp_path / "away"
    away.touch()
    assert result_after_a_kill(start, receiver, "crews:dated", CREW_AWAY=str(away)) == "ann writes about tea"
    assert not away.exists()


def test_a_run_whose_crew_was_changed_meanwhile_ends_with_a_sentence_that_says_so(
    start: Start, receiver: Receiver
) -> None:
    service = start("crews:one")
    run = service.kickoff({"topic": "tea"}, receiver, crewWebhookUrl=receiver.url("/crew"))
    receiver.nth("/ask", 1)
    service.stop()
    status = start("crews:chain").ended(run)
    assert status["state"] == "FAILED"
    assert "The crew was changed" in status["error"]


def test_ten_runs_at_once_do_not_mix(start: Start, receiver: Receiver) -> None:
    service = start("crews:one")
    runs = [service.kickoff({"topic": "tea"}, receiver, f"/ask-{number}") for number in range(10)]
    for number in range(10):
        word = ("oolong", "matcha", "sencha")[number % 3]
        service.resume(receiver.nth(f"/ask-{number}", 1), approve=False, feedback=word)
    for number, run in enumerate(runs):
        service.resume(receiver.nth(f"/ask-{number}", 2), approve=True)
        word = ("oolong", "matcha", "sencha")[number % 3]
        assert service.ended(run)["result"] == f"ann writes about tea, {word}"


def test_a_tool_of_crewai_that_invokes_a_crew_sees_how_its_run_ends(start: Start) -> None:
    # Its package imports all its tools, and most of them need packages of their own.
    package = importlib.util.find_spec("crewai_tools")
    assert package is not None
    assert package.origin is not None
    file = Path(package.origin).parent / "tools/invoke_crewai_automation_tool/invoke_crewai_automation_tool.py"
    spec = importlib.util.spec_from_file_location("invoke_crewai_automation_tool", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    service = start("crews:same_role")
    tool = module.InvokeCrewAIAutomationTool(
        crew_api_url=str(service.client.base_url).rstrip("/"),
        crew_bearer_token=TOKEN,
        crew_name="writers",
        crew_description="Writes.",
        max_polling_time=30,
    )
    assert tool._run(topic="tea") == "second writes about tea"
    service.stop()
    failing = start("crews:broken")
    tool.crew_api_url = str(failing.client.base_url).rstrip("/")
    assert tool._run(topic="tea").startswith("Error: Crew task failed.")


def test_a_person_decides_about_what_a_tool_gave_as_the_answer(start: Start, receiver: Receiver) -> None:
    service = start("crews:tool_answers")
    run = service.kickoff({"topic": "tea"}, receiver, "/edited")
    asked = receiver.nth("/edited", 1)
    assert asked["task_output"] == "all about tea"
    service.resume(asked, approve=True, feedback="Approved with these edits:\nnothing about tea")
    assert service.ended(run)["result"] == "nothing about tea"
    run = service.kickoff({"topic": "tea"}, receiver, "/again")
    service.resume(receiver.nth("/again", 1), approve=False, feedback="Write less")
    again = receiver.nth("/again", 2)
    assert again["task_output"] == "less"
    service.resume(again, approve=True)
    assert service.ended(run)["result"] == "less"


def test_half_a_character_at_the_end_of_a_text_stops_nothing(start: Start, receiver: Receiver) -> None:
    service = start("crews:half_character")
    run = service.kickoff({"topic": "tea"}, receiver)
    asked = receiver.nth("/ask", 1)
    assert asked["task_output"] == "tea \ufffd"
    service.resume(asked, approve=True)
    assert service.ended(run)["result"] == "tea \ufffd"


@pytest.mark.skipif(IS_CREWAI_1_14, reason="CrewAI 1.14 itself mixes up what the agent is told")
def test_a_text_is_asked_about_under_its_own_task_where_one_agent_works_at_two(
    start: Start, receiver: Receiver
) -> None:
    service = start("crews:one_agent_at_two_tasks")
    for number in range(10):
        service.kickoff({"topic": "tea"}, receiver, f"/ask-{number}")
    wait_until(lambda: sum(len(receiver.at(f"/ask-{number}")) for number in range(10)) >= 5)
    for number in range(10):
        assert all(each["task_output"] == each["task_name"] for each in receiver.at(f"/ask-{number}"))


def test_the_example_of_the_page_is_served_as_it_is(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = Path(__file__).parents[4] / "docs/examples"
    assert (examples / "my_crew.py").exists()
    monkeypatch.setenv("PYTHONPATH", str(examples))
    service = start("", target="my_crew:make_crew", OPENAI_API_KEY="a-key")
    assert service.client.get("/inputs").json() == {"inputs": ["topic"]}
