"""What clients send to `/kickoff` and `/resume`, read strictly: a wrong request is refused before anything happens."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from .records import Address, Addresses, Json

T = TypeVar("T")


class Refusal(Exception):
    """Becomes the answer to a request."""

    def __init__(self, status: int, error: str, message: str, **details: Json) -> None:
        super().__init__(message)
        self.status = status
        self.headers: dict[str, str] = {}
        self.body: dict[str, Json] = {"error": error, "message": message}
        if details:
            self.body["details"] = details


@dataclass(frozen=True)
class Kickoff:
    inputs: dict[str, Json]
    addresses: Addresses


@dataclass(frozen=True)
class Resume:
    execution_id: str
    task_id: str
    is_approve: bool
    human_feedback: str
    #: Where the following notifications go. Those of the kickoff aren't carried over, except where to ask people.
    addresses: Addresses


def parse_json(raw: bytes) -> dict[str, Json]:
    """Raises `Refusal` (400) unless it is an object that can also be written again."""
    try:
        body = json.loads(raw, parse_constant=_refuse_constant)
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise malformed("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise malformed("The body must be a JSON object.")
    return body


def parse_kickoff(body: dict[str, Json]) -> Kickoff:
    return Kickoff(inputs=_field(body, "inputs", dict) or {}, addresses=_addresses(body))


def parse_resume(body: dict[str, Json]) -> Resume:
    missing = [name for name in ("execution_id", "task_id", "is_approve") if body.get(name) is None]
    if missing:
        raise Refusal(422, "missing-fields", f"Missing fields: {', '.join(missing)}")
    return Resume(
        execution_id=_field(body, "execution_id", str) or "",
        task_id=_field(body, "task_id", str) or "",
        is_approve=_field(body, "is_approve", bool) is True,
        human_feedback=_field(body, "human_feedback", str) or "",
        addresses=_addresses(body),
    )


def malformed(message: str) -> Refusal:
    return Refusal(400, "malformed", message)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _field(body: dict[str, Json], name: str, kind: type[T]) -> T | None:
    value = body.get(name)
    if value is not None and not isinstance(value, kind):
        raise malformed(f"{name} is of the wrong type.")
    return value


def _addresses(body: dict[str, Json]) -> Addresses:
    urls = {event: _field(body, f"{event}WebhookUrl", str) for event in ("task", "step", "crew")}
    events = {event: None if url is None else _address(url, None) for event, url in urls.items()}
    return Addresses(human_input=_human_input(body), **events)


def _human_input(body: dict[str, Json]) -> Address | None:
    webhook: dict[str, Any] | None = _field(body, "humanInputWebhook", dict)
    if webhook is None:
        return None
    given: dict[str, Any] = _field(webhook, "authentication", dict) or {}
    match given.get("strategy"):
        case None:
            authorization = None
        case "bearer":
            authorization = f"Bearer {_field(given, 'token', str) or ''}"
        case "basic":
            pair = f"{_field(given, 'username', str) or ''}:{_field(given, 'password', str) or ''}"
            authorization = f"Basic {base64.b64encode(pair.encode()).decode()}"
        case _:
            raise malformed("authentication.strategy is bearer or basic.")
    if authorization is not None and not (authorization.isascii() and authorization.isprintable()):
        raise malformed("authentication has characters that no header can have.")
    return _address(_field(webhook, "url", str) or "", authorization)


def _address(url: str, authorization: str | None) -> Address:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or not url.isascii() or any(char <= " " for char in url):
        raise malformed("The address of a webhook is not an http or https URL.")
    return Address(url, authorization)
