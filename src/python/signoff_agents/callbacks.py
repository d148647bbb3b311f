"""Receives what people have decided, at an address that the program named as ``callback``."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from signoff_agents.answers import Answer, NotDecided, SignoffError, answer_from_json

log = logging.getLogger("signoff_agents")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
OnAnswer = Callable[[Answer], object]


class InvalidSignature(SignoffError):
    """Signoff hasn't sent exactly this within the last five minutes, as far as the key can tell."""


class AnswerLater(SignoffError):
    """An answer can't be taken now, but soon: :func:`callback_receiver` has it sent again."""


def parse_callback(body: bytes | str, headers: Mapping[str, str], key: str | Sequence[str]) -> Answer:
    """Returns the answer in a callback that Signoff has sent within the last five minutes.

    ``body`` is the request's body, byte for byte. ``key`` is the crew's key for callbacks, ``whsec_…``, which
    ``npm run webhook -- CREW`` prints; while it changes, give the old and the new one.
    Raises :class:`InvalidSignature`, and ``ValueError`` for a key that can't be one or a callback that holds no answer.
    """
    webhooks = [_webhook(each) for each in ([key] if isinstance(key, str) else key)]
    if not webhooks:
        raise ValueError("A callback can't be verified without a key.")
    verified = [_is_signed(webhook, body, headers) for webhook in webhooks]
    if not any(verified):
        raise InvalidSignature(
            "The signature of this callback is wrong, or older than five minutes. Check that the key is this "
            "crew's, that the clock is right, and that the body is verified as it came, before anything parses it."
        )
    value = json.loads(body)
    if not isinstance(value, dict) or value.get("type") != "ask.decided":
        raise ValueError("This callback holds no answer: its type isn't ask.decided.")
    return answer_from_json(value.get("data"))


def _webhook(key: str) -> Webhook:
    try:
        if key.startswith("whsec_"):
            return Webhook(key)
    # The cause is dropped, as it could quote the key.
    except Exception:
        pass
    raise ValueError(
        "A key for callbacks begins with whsec_: `npm run webhook -- CREW` prints it at the bot."
    ) from None


def _is_signed(webhook: Webhook, body: bytes | str, headers: Mapping[str, str]) -> bool:
    try:
        webhook.verify(body, dict(headers), json_parse=False)
    # A signature or a body that isn't even well-formed raises one of its own.
    except (WebhookVerificationError, ValueError):
        return False
    return True


_MOST_BYTES = 20 * 1_048_576
_MOST_REMEMBERED = 10_000
_RETRY_AFTER_S = 10


def callback_receiver(key: str | Sequence[str], on_answer: OnAnswer) -> Application:
    """Returns an ASGI application that hands each answer to ``on_answer``, a function with or without ``async``.

    Put it anywhere, such as ``Starlette(routes=[Route("/answers", callback_receiver(key, on_answer))])``. It answers
    204 once ``on_answer`` has returned, 401 to a wrong signature, and 503 if ``on_answer`` raises, so that Signoff
    sends the answer again. :class:`NotDecided` alone is logged and answered with 204: sending it again can't help.

    An answer that comes twice is handed on once, as long as this process lives. After a restart it may be handed on
    once more, so make sure that it does no harm. Signoff waits 30 seconds for 204: put longer work into a queue.
    """
    taken: OrderedDict[str, asyncio.Future[None]] = OrderedDict()

    async def hand_on(answer: Answer) -> None:
        if inspect.iscoroutinefunction(on_answer):
            await on_answer(answer)
            return
        result = await asyncio.to_thread(on_answer, answer)
        if inspect.isawaitable(result):
            await result

    async def take(webhook_id: str, answer: Answer) -> None:
        known = taken.get(webhook_id)
        if known is None:
            # A task of its own goes on if the caller goes away.
            known = taken[webhook_id] = asyncio.ensure_future(hand_on(answer))
            while len(taken) > _MOST_REMEMBERED:
                taken.popitem(last=False)
        try:
            await asyncio.shield(known)
        except NotDecided as error:
            log.error("The answer %s leads nowhere: %s", answer.ref, error)
        except BaseException:
            if known.done():
                taken.pop(webhook_id, None)
            raise

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError("This receiver speaks HTTP only.")
        status, headers = await _status_of(scope, receive, key, take)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    return _Application(application)


class _Application:
    """Not a function, which a ``Route`` of Starlette would take for something else than an ASGI application."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._application(scope, receive, send)


async def _status_of(
    scope: Scope, receive: Receive, key: str | Sequence[str], take: Callable[[str, Answer], Awaitable[None]]
) -> tuple[int, list[tuple[bytes, bytes]]]:
    if scope["method"] != "POST":
        return 405, [(b"allow", b"POST")]
    body = await _body(receive)
    if body is None:
        return 413, []
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
    try:
        answer = parse_callback(body, headers, key)
    except InvalidSignature:
        log.warning("refused a callback with a wrong signature")
        return 401, []
    except ValueError as error:
        log.error("could not read a callback: %s", error)
        return 422, []
    try:
        await take(headers["webhook-id"], answer)
    except AnswerLater as later:
        log.info("the answer %s comes again: %s", answer.ref, later)
    except Exception:
        log.exception("could not hand on the answer %s: it comes again", answer.ref)
    else:
        return 204, []
    # Signoff sends it again no sooner.
    return 503, [(b"retry-after", str(_RETRY_AFTER_S).encode())]


async def _body(receive: Receive) -> bytes | None:
    """The whole body; None if it is too large."""
    body = bytearray()
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > _MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return bytes(body)
