"""What clients send to `/kickoff` and `/resume`, read strictly: a wrong request is refused before anything happens."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from .records import Address, Addresses, Json

T = TypeVar("T")

#: Python writes a little more than it reads, so what was taken could not be stored.
DEEPEST = 100


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
    #: Hashes of the keys by which the client repeats it; none if each kickoff starts anew.
    keys: tuple[str, ...] = ()
    #: The hash of the whole request: a repeated one is the same.
    digest: str = ""


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
    if _is_deeper_than(DEEPEST, body):
        raise malformed(f"The body has more than {DEEPEST} levels.")
    if not isinstance(body, dict):
        raise malformed("The body must be a JSON object.")
    return body


def _is_deeper_than(most: int, body: Json) -> bool:
    level = [body]
    for _ in range(most):
        level = [
            held
            for value in level
            if isinstance(value, (dict, list))
            for held in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(level)


def parse_kickoff(body: dict[str, Json], idempotency_keys: Sequence[str] = ()) -> Kickoff:
    """
    :param idempotency_keys: the values of the header `Idempotency-Key`. `meta.requestId` in the body, the name that CrewAI's
        documentation gives it, says the same.
    """
    if len(idempotency_keys) > 1:
        raise malformed("The header idempotency-key is given twice.")
    header = next((_structured_string(value) for value in idempotency_keys), None)
    if header == "":
        raise malformed("The Idempotency-Key is empty.")
    values = {"header": header, "body": _request_id(body)}
    return Kickoff(
        inputs=_field(body, "inputs", dict) or {},
        addresses=_addresses(body),
        keys=tuple(_digest([place, key]) for place, key in values.items() if key is not None),
        digest=_digest(body),
    )


def _structured_string(header: str) -> str:
    """
    Returns what is quoted, as in structured fields. A value without quotes is taken as it is, as many clients send it.
    https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ (Syntax)
    """
    quoted = re.fullmatch(r'"((?:[^"\\]|\\["\\])*)"', header.strip())
    return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted else header.strip()


def _request_id(body: dict[str, Json]) -> str | None:
    meta = body.get("meta")
    request_id = meta.get("requestId") if isinstance(meta, dict) else None
    return request_id if isinstance(request_id, str) and request_id.strip() else None


def _digest(value: Json) -> str:
    """Returns the same for the same JSON, in whichever order its fields stand."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


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


def _field(body: dict[str, Json], name: str, kind: type[T], place: str = "") -> T | None:
    value = body.get(name)
    if value is not None and not isinstance(value, kind):
        raise malformed(f"{place}{name} is of the wrong type.")
    return value


def _addresses(body: dict[str, Json]) -> Addresses:
    names = {event: f"{event}WebhookUrl" for event in ("task", "step", "crew")}
    urls = {event: _field(body, name, str) for event, name in names.items()}
    events = {event: None if url is None else _address(url, None, names[event]) for event, url in urls.items()}
    return Addresses(human_input=_human_input(body), **events)


_WEBHOOK = "humanInputWebhook"


def _human_input(body: dict[str, Json]) -> Address | None:
    webhook: dict[str, Any] | None = _field(body, _WEBHOOK, dict)
    if webhook is None:
        return None
    url = _field(webhook, "url", str, f"{_WEBHOOK}.") or ""
    given: dict[str, Any] | None = _field(webhook, "authentication", dict, f"{_WEBHOOK}.")
    return _address(url, None if given is None else _authorization(given), f"{_WEBHOOK}.url")


def _authorization(given: dict[str, Any]) -> str:
    place = f"{_WEBHOOK}.authentication."
    token, username, password = (_field(given, name, str, place) or "" for name in ("token", "username", "password"))
    match given.get("strategy"):
        case "bearer":
            # https://www.rfc-editor.org/rfc/rfc6750#section-2.1
            if not re.fullmatch(r"[!-~]+", token):
                raise malformed(f"{place}token must be ASCII without spaces.")
            return f"Bearer {token}"
        case "basic":
            # https://www.rfc-editor.org/rfc/rfc7617#section-2
            if ":" in username or any(ord(char) < 32 or ord(char) == 127 for char in username + password):
                raise malformed(
                    f"{place}username can't have a colon, and neither it nor the password control characters."
                )
            return f"Basic {base64.b64encode(f'{username}:{password}'.encode()).decode()}"
        case _:
            raise malformed(f"{place}strategy must be bearer or basic.")


def _address(url: str, authorization: str | None, name: str) -> Address:
    try:
        parts = urlsplit(url)
        valid = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        )
    except ValueError:
        valid = False
    if not valid or not url.isascii() or any(char <= " " for char in url):
        raise malformed(f"{name} must be an http or https URL without a user name.")
    return Address(url, authorization)
