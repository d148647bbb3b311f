"""What clients send."""

from __future__ import annotations

import pytest

from signoff_agents.serve.requests import Kickoff, Refusal, parse_json, parse_kickoff


def nested(levels: int) -> bytes:
    return b'{"inputs": ' + b"[" * levels + b"]" * levels + b"}"


@pytest.mark.parametrize("levels", [101, 600, 100_000])
def test_what_is_nested_too_deeply_to_be_stored_is_refused_for_good(levels: int) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_json(nested(levels))
    assert refusal.value.status == 400


def test_what_is_nested_as_people_nest_it_is_read() -> None:
    assert parse_json(nested(50))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (parse_kickoff({}, ['"k\\"1"']), parse_kickoff({}, ['k"1'])),
        (parse_kickoff({"meta": {"requestId": "r"}}), parse_kickoff({"meta": {"requestId": "r"}, "inputs": {}})),
    ],
)
def test_a_key_is_known_again_in_either_form_and_whatever_else_the_request_says(one: Kickoff, other: Kickoff) -> None:
    assert one.keys == other.keys != ()


def test_a_request_is_known_by_its_content_in_whichever_order_its_fields_stand() -> None:
    one, other = parse_kickoff({"a": {"b": 1, "c": 2}, "d": 3}), parse_kickoff({"d": 3, "a": {"c": 2, "b": 1}})
    assert one.digest == other.digest
    assert one.keys == ()


@pytest.mark.parametrize("keys", [[""], ['""'], ["a", "b"]])
def test_a_key_that_is_empty_or_given_twice_is_refused(keys: list[str]) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_kickoff({}, keys)
    assert refusal.value.status == 400
