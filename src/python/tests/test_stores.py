"""Where runs are kept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from signoff_agents.serve.stores import SqliteStore

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
