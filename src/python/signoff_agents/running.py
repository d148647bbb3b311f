"""Runs what is asynchronous from code that isn't."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def is_in_loop() -> bool:
    """Whether the caller runs in an event loop, which it may not block."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def run_here(work: Coroutine[Any, Any, T]) -> T:
    """Waits for the work and returns its result. Within an event loop, such as a notebook's, the work gets a thread."""
    if not is_in_loop():
        return asyncio.run(work)
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(asyncio.run(work))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return results[0]
