"""Where runs are kept."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from signoff_agents.serve.stores import RedisStore, SqliteStore, Store, StoreLost
from tests.service import wait_until

HOLD_AND_FORK = """
import os, sys, time
from signoff_agents.serve.stores import SqliteStore

store = SqliteStore(sys.argv[1])
assert store.acquire()
child = os.fork()
if child == 0:
    print("forked", os.getpid(), flush=True)
time.sleep(60)
"""


def test_a_forked_process_that_lives_longer_holds_no_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.db")
    process = subprocess.Popen([sys.executable, "-c", HOLD_AND_FORK, path], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    child = int(process.stdout.readline().split()[1])
    store = SqliteStore(path)
    try:
        assert not store.acquire()
        process.kill()
        process.wait()
        assert store.acquire()
    finally:
        os.kill(child, signal.SIGKILL)
        store.close()


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The address of an empty Redis, and its process."""
    program = os.environ.get("REDIS_SERVER") or shutil.which("redis-server")
    assert program, "These tests need a redis-server: install one, or set REDIS_SERVER to its path."
    socket = tmp_path / "redis.sock"
    process = subprocess.Popen(
        [program, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", tmp_path], stdout=subprocess.DEVNULL
    )
    wait_until(socket.exists)
    yield f"unix://{socket}", process
    process.send_signal(signal.SIGCONT)
    process.kill()
    process.wait()


def test_what_arrives_late_overwrites_nothing_newer(
    redis: tuple[str, subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("signoff_agents.serve.stores.ANSWER_WITHIN_S", 0.2)
    address, process = redis
    store = RedisStore(address, "crew", lambda: None)
    assert store.acquire()
    store.save("run", {"number": 1}, ended=False)
    late: list[list[object]] = []
    send = store._redis.eval
    monkeypatch.setattr(store._redis, "eval", lambda *given: late.append(list(given)))
    with pytest.raises(StoreLost):
        store.save("run", {"number": 2}, ended=False)
    monkeypatch.setattr(store._redis, "eval", send)
    store.save("run", {"number": 3}, ended=False)
    send(*late[0])
    assert store.load("run") == {"number": 3}

    process.send_signal(signal.SIGSTOP)
    with pytest.raises(Exception, match="Timeout"):
        store.save("run", {"number": 4}, ended=False)
    process.send_signal(signal.SIGCONT)
    store.save("run", {"number": 5}, ended=False)
    assert store.load("run") == {"number": 5}
    store.close()

    after = RedisStore(address, "crew", lambda: None)
    assert after.acquire()
    after.save("run", {"number": 6}, ended=False)
    assert after.load("run") == {"number": 6}
    after.close()


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_the_keys_of_a_kickoff_lead_to_its_run_as_long_as_that_is_kept(
    kind: str, tmp_path: Path, redis: tuple[str, subprocess.Popen[bytes]]
) -> None:
    def opened() -> Store:
        store: Store = (
            SqliteStore(str(tmp_path / "runs.db")) if kind == "sqlite" else RedisStore(redis[0], "crew", lambda: None)
        )
        assert store.acquire()
        return store

    store = opened()
    store.save("tea", {"kickoff_keys": ["a", "b"]}, ended=False)
    store.save("coffee", {"kickoff_keys": ["c"]}, ended=False)
    store.close()
    store = opened()
    assert store.started_with(["a", "b"]) == {"tea"}
    assert store.started_with(["b", "c", "d"]) == {"tea", "coffee"}
    store.save("tea", {"kickoff_keys": ["a", "b"]}, ended=True)
    assert store.started_with(["a"]) == {"tea"}
    store.forget(time.time() + 1)
    assert store.started_with(["a", "b", "c"]) == {"coffee"}
    store.close()
