"""The interface of the crew execution service over HTTP: `/inputs`, `/kickoff`, `/status/{id}` and `/resume`."""

from __future__ import annotations

import asyncio
import hmac
import logging
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from .records import Json, encoded
from .requests import Refusal, malformed, parse_json, parse_kickoff, parse_resume
from .runs import Runs

log = logging.getLogger("signoff_agents.serve")

#: An approval may carry the whole edited text.
LARGEST_BODY = 8 * 1024 * 1024
MOST_READ = 8 * LARGEST_BODY
READ_WITHIN_S = 30

Handler = Callable[[Request], Awaitable[dict[str, Json]]]


def create_app(runs: Runs, tokens: list[str]) -> Starlette:
    """
    :param tokens: the bearer tokens that clients may show; several while one is replaced
    """
    allowed = [f"Bearer {token}".encode() for token in tokens]

    def identify(request: Request) -> None:
        given = request.headers.get("authorization", "").encode("latin-1")
        # All are compared, even after a match, for constant time.
        if not any([hmac.compare_digest(given, each) for each in allowed]):
            refusal = Refusal(401, "unauthorized", "Invalid bearer token.")
            refusal.headers["WWW-Authenticate"] = "Bearer"
            raise refusal

    def endpoint(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            identify(request)
            return _json(await handler(request))

        return answer

    async def inputs(_: Request) -> dict[str, Json]:
        return {"inputs": runs.inputs()}

    async def kickoff(request: Request) -> dict[str, Json]:
        keys = request.headers.getlist("idempotency-key")
        parsed = parse_kickoff(parse_json(await _read(request)), keys)
        return {"kickoff_id": await run_in_threadpool(runs.kickoff, parsed)}

    async def status(request: Request) -> dict[str, Json]:
        return await run_in_threadpool(runs.status, request.path_params["run_id"])

    async def resume(request: Request) -> dict[str, Json]:
        parsed = parse_resume(parse_json(await _read(request)))
        await run_in_threadpool(runs.resume, parsed)
        continues = f"Execution {parsed.execution_id} continues."
        return {"status": "resumed" if parsed.is_approve else "retrying", "message": continues}

    async def refuse(request: Request, error: Exception) -> Response:
        match error:
            case Refusal():
                refusal = error
            case HTTPException():
                refusal = Refusal(error.status_code, "not-found", "There is nothing at this address for this method.")
                refusal.headers.update(error.headers or {})
            case _:
                log.error("A request failed", exc_info=error)
                refusal = Refusal(500, "fault", "Something went wrong: see the log.")
        try:
            # Strangers don't learn which addresses there are.
            identify(request)
        except Refusal as unauthorized:
            refusal = unauthorized
        return _json(refusal.body, refusal.status, refusal.headers)

    return Starlette(
        routes=[
            Route("/inputs", endpoint(inputs), methods=["GET"]),
            Route("/kickoff", endpoint(kickoff), methods=["POST"]),
            Route("/status/{run_id}", endpoint(status), methods=["GET"]),
            Route("/resume", endpoint(resume), methods=["POST"]),
        ],
        exception_handlers={Refusal: refuse, HTTPException: refuse, Exception: refuse},
    )


def _json(body: dict[str, Json], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(encoded(body), status, headers, media_type="application/json")


async def _read(request: Request) -> bytes:
    """Raises `Refusal` if the body is too large (413), takes too long (408) or ends too early (400)."""
    try:
        size, body = await asyncio.wait_for(_collect(request), READ_WITHIN_S)
    except (asyncio.TimeoutError, TimeoutError):
        raise Refusal(408, "too-slow", f"The body took more than {READ_WITHIN_S} seconds.") from None
    except ClientDisconnect:
        raise malformed("The body ended too early.") from None
    if size > LARGEST_BODY:
        raise Refusal(413, "too-large", f"A body has at most {LARGEST_BODY} bytes.")
    return body


async def _collect(request: Request) -> tuple[int, bytes]:
    """Also reads what is too large, up to a point: a client that is still sending would lose the answer."""
    size, body = 0, bytearray()
    async for chunk in request.stream():
        size += len(chunk)
        if size <= LARGEST_BODY:
            body += chunk
        elif size > MOST_READ:
            break
    return size, bytes(body)
