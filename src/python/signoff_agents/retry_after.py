"""How long a server asks to wait."""

from __future__ import annotations

import time
from email.utils import parsedate_to_datetime

import httpx


def retry_after(headers: httpx.Headers) -> float | None:
    """Seconds, at least 0; None if the server doesn't say. https://www.rfc-editor.org/rfc/rfc9110#field.retry-after"""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time()) if text else None
    except ValueError:
        return None
