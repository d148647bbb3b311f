"""What clients send."""

from __future__ import annotations

import pytest

from signoff_agents.serve.requests import Refusal, parse_json


def nested(levels: int) -> bytes:
    return b'{"inputs": ' + b"[" * levels + b"]" * levels + b"}"


@pytest.mark.parametrize("levels", [101, 600, 100_000])
def test_what_is_nested_too_deeply_to_be_stored_is_refused_for_good(levels: int) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_json(nested(levels))
    assert refusal.value.status == 400


def test_what_is_nested_as_people_nest_it_is_read() -> None:
    assert parse_json(nested(50))
