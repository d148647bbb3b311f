"""Sends notifications to the addresses that clients gave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import httpx

from signoff_agents.retry_after import retry_after

from .records import Address, Json, encoded

ANSWER_WITHIN_S = 10.0
LONGEST_PAUSE_S = 30.0


@dataclass(frozen=True)
class Receipt:
    """How the receiver answered. Only `later` is tried again."""

    kind: Literal["taken", "later", "refused"]
    #: For the log, without anything secret.
    detail: str = ""
    #: How long the receiver asked to wait; None if it didn't say.
    wait_s: float | None = None


TAKEN = Receipt("taken")


class Sender:
    """Posts JSON. Credentials go to the address that was given and to no other, so redirects are refused."""

    def __init__(self) -> None:
        # A receiver that hangs must not keep others from being told.
        limits = httpx.Limits(max_connections=None)
        self._client = httpx.Client(timeout=ANSWER_WITHIN_S, follow_redirects=False, limits=limits)

    def post(self, address: Address, body: Json) -> Receipt:
        headers = {"Content-Type": "application/json"}
        if address.authorization is not None:
            headers["Authorization"] = address.authorization
        try:
            answer = self._client.post(address.url, content=encoded(body), headers=headers)
        except Exception as error:
            # httpx isn't the only one that raises: a host name that is too long is a UnicodeError.
            return Receipt("later", type(error).__name__)
        if answer.is_success:
            return TAKEN
        detail = f"it answered {answer.status_code}"
        if answer.status_code >= 500 or answer.status_code in (408, 425, 429):
            return Receipt("later", detail, retry_after(answer.headers))
        return Receipt("refused", detail)

    def close(self) -> None:
        self._client.close()


def pause_after(attempt: int, receipt: Receipt) -> float:
    """Seconds to wait before the next attempt; `attempt` counts from 1."""
    return float(min(LONGEST_PAUSE_S, max(receipt.wait_s or 0.0, 2.0 ** min(attempt, 10) / 2)))
