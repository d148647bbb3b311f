from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from signoff_agents import Answer, AnswerLater, InvalidSignature, NotDecided, Signoff, callback_receiver, parse_callback
from tests.contract_server import Bot

KEY = "whsec_" + base64.b64encode(b"the key of the crew that these tests use").decode()
OTHER_KEY = "whsec_" + base64.b64encode(b"the key of another crew than these tests use").decode()
DATA = {
    "ref": "r1",
    "status": "decided",
    "decision": "approved",
    "outcome": "ship it",
    "by": {"id": "U_MARIA", "name": "Maria"},
}


def body_of(data: object, kind: str = "ask.decided") -> bytes:
    return json.dumps({"type": kind, "timestamp": "2026-11-29T10:00:00.000Z", "data": data}).encode()


def signed(body: bytes, *keys: str, webhook_id: str = "ask_r1_a", age_s: int = 0) -> dict[str, str]:
    """As the bot signs: with each of its keys."""
    seconds = int(time.time()) - age_s
    macs = [
        hmac.new(base64.b64decode(key[6:]), f"{webhook_id}.{seconds}.".encode() + body, hashlib.sha256).digest()
        for key in keys
    ]
    signatures = " ".join(f"v1,{base64.b64encode(mac).decode()}" for mac in macs)
    return {"Webhook-Id": webhook_id, "Webhook-Timestamp": str(seconds), "Webhook-Signature": signatures}


class TestParsing:
    def test_a_signed_callback_is_an_answer(self) -> None:
        body = body_of(DATA)
        answer = parse_callback(body, signed(body, KEY), KEY)
        assert (answer.ref, answer.status, answer.approved, answer.outcome) == ("r1", "decided", True, "ship it")

    def test_an_expiry_is_an_answer_that_approves_nothing(self) -> None:
        body = body_of({"ref": "r1", "status": "expired", "decision": "expired", "by": None})
        assert parse_callback(body, signed(body, KEY), KEY) == Answer("r1", "expired", decision="expired")

    @pytest.mark.parametrize(("signers", "known"), [([KEY, OTHER_KEY], [OTHER_KEY]), ([KEY], [OTHER_KEY, KEY])])
    def test_keys_may_change_on_either_side(self, signers: list[str], known: list[str]) -> None:
        body = body_of(DATA)
        assert parse_callback(body, signed(body, *signers), known).approved

    @pytest.mark.parametrize(
        ("headers", "key"),
        [
            (lambda body: signed(body, OTHER_KEY), KEY),
            (lambda body: signed(body + b" ", KEY), KEY),
            (lambda body: signed(body, KEY, age_s=301), KEY),
            (lambda body: signed(body, KEY, age_s=-301), KEY),
            (lambda body: {}, KEY),
            (lambda body: {**signed(body, KEY), "Webhook-Id": "ask_r2_a"}, KEY),
            (lambda body: {**signed(body, KEY), "Webhook-Signature": "nonsense"}, KEY),
            (lambda body: {**signed(body, KEY), "Webhook-Signature": "v1,ü"}, KEY),
            (lambda body: {**signed(body, KEY), "Webhook-Timestamp": "NaN"}, KEY),
        ],
        ids=["other key", "other body", "old", "from the future", "unsigned", "other id", "malformed", "ü", "no time"],
    )
    def test_what_signoff_has_not_sent_just_so_is_refused(
        self, headers: Callable[[bytes], dict[str, str]], key: str
    ) -> None:
        body = body_of(DATA)
        with pytest.raises(InvalidSignature) as refused:
            parse_callback(body, headers(body), key)
        assert key[6:] not in str(refused.value)

    def test_a_body_that_is_no_text_is_refused(self) -> None:
        with pytest.raises(InvalidSignature):
            parse_callback(b"\xff", signed(b"\xff", OTHER_KEY), KEY)

    @pytest.mark.parametrize("key", ["", "secret-token", "whsec_", "whsec_ü", []])
    def test_a_key_that_cannot_be_one_is_named_but_not_shown(self, key: str | list[str]) -> None:
        body = body_of(DATA)
        with pytest.raises(ValueError, match="key") as wrong:
            parse_callback(body, signed(body, KEY), key)
        assert "secret" not in str(wrong.value)
        assert wrong.value.__cause__ is None

    @pytest.mark.parametrize("body", [body_of(DATA, "ask.moved"), body_of({}), b"[]"])
    def test_a_callback_without_an_answer_is_an_error(self, body: bytes) -> None:
        with pytest.raises(ValueError, match=r"answer"):
            parse_callback(body, signed(body, KEY), KEY)


def receive(on_answer: Any, *requests: tuple[bytes, dict[str, str]], method: str = "POST") -> list[httpx.Response]:
    """What a receiver answers to requests that come at the same moment."""

    async def run() -> list[httpx.Response]:
        transport = httpx.ASGITransport(callback_receiver(KEY, on_answer))
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            sent = [client.request(method, "/", content=body, headers=headers) for body, headers in requests]
            return list(await asyncio.gather(*sent))

    return asyncio.run(run())


class TestReceiving:
    body = body_of(DATA)

    def request(self, **more: Any) -> tuple[bytes, dict[str, str]]:
        return self.body, signed(self.body, KEY, **more)

    def test_an_answer_is_handed_on_once_however_often_it_comes(self) -> None:
        answers: list[Answer] = []
        repeated = [self.request() for _ in range(5)]
        replies = receive(answers.append, *repeated, self.request(webhook_id="ask_r2_a"))
        assert [reply.status_code for reply in replies] == [204] * 6
        assert [answer.ref for answer in answers] == ["r1", "r1"]

    def test_it_says_yes_only_after_an_async_function_has_returned(self) -> None:
        done: list[str] = []

        async def on_answer(answer: Answer) -> None:
            await asyncio.sleep(0)
            done.append(answer.ref)

        (reply,) = receive(on_answer, self.request())
        assert (reply.status_code, done) == (204, ["r1"])

    @pytest.mark.parametrize("error", [AnswerLater("not yet"), RuntimeError("the database is away")])
    def test_an_answer_that_could_not_be_taken_comes_again(self, error: Exception) -> None:
        outcomes = [error, None]
        answers: list[Answer] = []

        def on_answer(answer: Answer) -> None:
            if (outcome := outcomes.pop(0)) is not None:
                raise outcome
            answers.append(answer)

        async def twice() -> list[httpx.Response]:
            transport = httpx.ASGITransport(callback_receiver(KEY, on_answer))
            async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
                body, headers = self.request()
                return [await client.post("/", content=body, headers=headers) for _ in range(3)]

        replies = asyncio.run(twice())
        assert [reply.status_code for reply in replies] == [503, 204, 204]
        assert replies[0].headers["retry-after"] == "10"
        assert len(answers) == 1

    def test_an_answer_that_leads_nowhere_does_not_come_again(self) -> None:
        def on_answer(answer: Answer) -> None:
            raise NotDecided("The flow has no way for this.", answer)

        assert [reply.status_code for reply in receive(on_answer, self.request())] == [204]

    def test_what_is_not_signed_is_handed_to_nobody(self) -> None:
        answers: list[Answer] = []
        replies = receive(answers.append, (self.body, signed(self.body, OTHER_KEY)), (self.body, {}))
        assert [reply.status_code for reply in replies] == [401, 401]
        assert answers == []

    def test_other_requests_are_refused(self) -> None:
        assert [reply.status_code for reply in receive(print, self.request(), method="GET")] == [405]
        other = body_of(DATA, "ask.moved")
        assert [reply.status_code for reply in receive(print, (other, signed(other, KEY)))] == [422]

    def test_the_answer_of_a_callback_is_the_one_that_waiting_returns(self, bot: Bot, signoff: Signoff) -> None:
        bot.decides = lambda asked: bot.decide(asked, "rejected", feedback="No.", edited_text=None)
        waited = signoff.ask("Deploy", "Now?", callback="https://here.example/")
        body = json.dumps(bot.callback(bot.asks[0])).encode()
        told = parse_callback(body, signed(body, KEY), KEY)
        assert (told.id, told.feedback, told.decided_at) == (waited.id, waited.feedback, waited.decided_at)
