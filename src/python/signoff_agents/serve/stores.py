"""Where runs are kept: one file of SQLite, or Redis. One process at a time works with a store."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any, Protocol

from .records import Json


class StoreLost(BaseException):
    """Nothing can be stored any more, since this process has let go of the store or another one works with it. Nobody should
    catch it but those who stop."""


class Store(Protocol):
    """Keeps the records of runs. What `save` returned from survives the process."""

    def acquire(self) -> bool:
        """Makes this process the only one that works with the store. False while another process does."""

    def save(self, run_id: str, record: dict[str, Json], *, ended: bool) -> None:
        """
        Stores a record whole, and in the same step that its `kickoff_keys` lead to it. Raises `StoreLost` if the store no longer
        belongs to this process.
        """

    def started_with(self, keys: Sequence[str]) -> set[str]:
        """The ids of the runs that have one of these `kickoff_keys`."""

    def load(self, run_id: str) -> dict[str, Json] | None: ...

    def open_runs(self) -> list[dict[str, Json]]:
        """The runs that have not ended, the oldest first."""

    def forget(self, ended_before: float) -> None:
        """Deletes the runs that ended before this time, in seconds since the epoch."""

    def close(self) -> None: ...


def open_store(address: str, name: str, on_lost: Callable[[], None]) -> Store:
    """
    Opens the store at a path, or at a `redis://`, `rediss://` or `unix://` address.

    :param name: keeps crews apart that share one Redis
    :param on_lost: called once if the store is lost while the process runs
    """
    if address.startswith(("redis://", "rediss://", "unix://")):
        return RedisStore(address, name, on_lost)
    return SqliteStore(address)


def _kickoff_keys(record: dict[str, Json]) -> list[str]:
    keys: list[str] = record.get("kickoff_keys", [])
    return keys


class SqliteStore:
    """One file. A lock on a second file beside it keeps other processes out, and ends with the process."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lock_file: IO[str] | None = None
        self._lock = threading.Lock()
        self._closed = False
        # The addresses of webhooks hold secrets, so nobody else may read the file.
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS runs (number INTEGER PRIMARY KEY, id TEXT UNIQUE, record TEXT, ended_at REAL)"
        )
        self._db.execute("CREATE INDEX IF NOT EXISTS runs_by_end ON runs (ended_at)")
        self._db.execute("CREATE TABLE IF NOT EXISTS kickoffs (key TEXT PRIMARY KEY, run_id TEXT)")

    def acquire(self) -> bool:
        if self._lock_file is None:
            self._lock_file = open(f"{self._path}.lock", "a")  # noqa: SIM115
            # A process that a tool forks may live longer than this one, and would hold the lock.
            os.register_at_fork(after_in_child=self._lock_file.close)
        try:
            fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def save(self, run_id: str, record: dict[str, Json], *, ended: bool) -> None:
        ended_at = time.time() if ended else None
        with self._lock:
            if self._closed:
                raise StoreLost
            with self._transaction():
                self._db.execute(
                    "INSERT INTO runs (id, record, ended_at) VALUES (?, ?, ?) "
                    "ON CONFLICT (id) DO UPDATE SET record = excluded.record, ended_at = excluded.ended_at",
                    (run_id, json.dumps(record), ended_at),
                )
                for key in _kickoff_keys(record):
                    self._db.execute("INSERT OR IGNORE INTO kickoffs VALUES (?, ?)", (key, run_id))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def started_with(self, keys: Sequence[str]) -> set[str]:
        with self._lock:
            rows = [self._db.execute("SELECT run_id FROM kickoffs WHERE key = ?", (key,)).fetchone() for key in keys]
        return {row[0] for row in rows if row is not None}

    def load(self, run_id: str) -> dict[str, Json] | None:
        with self._lock:
            row = self._db.execute("SELECT record FROM runs WHERE id = ?", (run_id,)).fetchone()
        return None if row is None else json.loads(row[0])

    def open_runs(self) -> list[dict[str, Json]]:
        with self._lock:
            rows = self._db.execute("SELECT record FROM runs WHERE ended_at IS NULL ORDER BY number").fetchall()
        return [json.loads(record) for (record,) in rows]

    def forget(self, ended_before: float) -> None:
        with self._lock, self._transaction():
            self._db.execute(
                "DELETE FROM kickoffs WHERE run_id IN (SELECT id FROM runs WHERE ended_at < ?)", (ended_before,)
            )
            self._db.execute("DELETE FROM runs WHERE ended_at < ?", (ended_before,))

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._db.close()
        if self._lock_file is not None:
            self._lock_file.close()


# Only the owner writes: a process that was cut off must not overwrite what its successor stored.
# A save that was sent before its connection timed out may arrive after a later one. It must not overwrite that.
# KEYS: owner, record, open runs, ended runs, versions, runs by the keys of their kickoffs.
# ARGV: owner, run id, record, end in seconds ('' = open), now in milliseconds, version, then the keys of the kickoff.
_SAVE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if tonumber(redis.call('HGET', KEYS[5], ARGV[2]) or '0') > tonumber(ARGV[6]) then return 1 end
redis.call('HSET', KEYS[5], ARGV[2], ARGV[6])
redis.call('SET', KEYS[2], ARGV[3])
for i = 7, #ARGV do redis.call('HSETNX', KEYS[6], ARGV[i], ARGV[2]) end
if ARGV[4] == '' then
  redis.call('ZADD', KEYS[3], 'NX', ARGV[5], ARGV[2])
else
  redis.call('ZREM', KEYS[3], ARGV[2])
  redis.call('ZADD', KEYS[4], ARGV[4], ARGV[2])
end
return 1
"""

# KEYS: owner. ARGV: owner, time to live in milliseconds.
_RENEW = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
"""

# KEYS: owner. ARGV: owner.
_RELEASE = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end"

#: After a process was killed, the next one waits for so long.
LEASE_S = 10.0
RENEW_S = 2.0
#: A Redis that can't be reached any more must not hold up everything without end.
ANSWER_WITHIN_S = 5.0


class RedisStore:
    """Keys of one Redis, which have one tag, so that they lie in one slot of a cluster. A lease keeps other processes out."""

    def __init__(self, address: str, name: str, on_lost: Callable[[], None]) -> None:
        try:
            import redis
        except ImportError:
            raise SystemExit("To keep runs in Redis, install its package: pip install redis") from None
        self._redis: Any = redis.Redis.from_url(
            address, decode_responses=True, socket_timeout=ANSWER_WITHIN_S, socket_connect_timeout=ANSWER_WITHIN_S
        )
        self._errors = redis.RedisError
        self._prefix = f"signoff-crew:{{{name}}}"
        self._owner_key, self._versions_key = f"{self._prefix}:owner", f"{self._prefix}:versions"
        self._open_key, self._ended_key = f"{self._prefix}:open", f"{self._prefix}:ended"
        self._kickoffs_key = f"{self._prefix}:kickoffs"
        self._owner = uuid.uuid4().hex
        self._on_lost = on_lost
        self._versions = itertools.count(1)
        self._closing = threading.Event()
        self._renewing: threading.Thread | None = None

    def _run_key(self, run_id: str) -> str:
        return f"{self._prefix}:run:{run_id}"

    def acquire(self) -> bool:
        if not self._redis.set(self._owner_key, self._owner, nx=True, px=int(LEASE_S * 1000)):
            return False
        # The owner before had other numbers.
        self._redis.delete(self._versions_key)
        self._renewing = threading.Thread(target=self._renew, daemon=True)
        self._renewing.start()
        return True

    def _renew(self) -> None:
        held_until = time.monotonic() + LEASE_S
        while not self._closing.wait(RENEW_S):
            asked_at = time.monotonic()
            try:
                renewed = self._redis.eval(_RENEW, 1, self._owner_key, self._owner, int(LEASE_S * 1000))
            except self._errors:
                # Redis may be away for a moment. The lease counts until it has certainly run out.
                if asked_at < held_until:
                    continue
                renewed = 0
            if not renewed:
                self._on_lost()
                return
            held_until = asked_at + LEASE_S

    def save(self, run_id: str, record: dict[str, Json], *, ended: bool) -> None:
        keys = [self._owner_key, self._run_key(run_id), self._open_key, self._ended_key, self._versions_key]
        keys.append(self._kickoffs_key)
        ended_at = str(time.time()) if ended else ""
        now, version = int(time.time() * 1000), next(self._versions)
        given = [self._owner, run_id, json.dumps(record), ended_at, now, version, *_kickoff_keys(record)]
        saved = self._redis.eval(_SAVE, len(keys), *keys, *given)
        if not saved:
            if not self._closing.is_set():
                self._on_lost()
            raise StoreLost

    def load(self, run_id: str) -> dict[str, Json] | None:
        record = self._redis.get(self._run_key(run_id))
        return None if record is None else json.loads(record)

    def started_with(self, keys: Sequence[str]) -> set[str]:
        found = (self._redis.hget(self._kickoffs_key, key) for key in keys)
        return {run_id for run_id in found if run_id is not None}

    def open_runs(self) -> list[dict[str, Json]]:
        ids = self._redis.zrange(self._open_key, 0, -1)
        records = (self.load(run_id) for run_id in ids)
        return [record for record in records if record is not None]

    def forget(self, ended_before: float) -> None:
        for run_id in self._redis.zrangebyscore(self._ended_key, "-inf", f"({ended_before}"):
            for key in _kickoff_keys(self.load(run_id) or {}):
                self._redis.hdel(self._kickoffs_key, key)
            self._redis.delete(self._run_key(run_id))
            self._redis.hdel(self._versions_key, run_id)
            self._redis.zrem(self._ended_key, run_id)

    def close(self) -> None:
        self._closing.set()
        with contextlib.suppress(self._errors):
            self._redis.eval(_RELEASE, 1, self._owner_key, self._owner)
        self._redis.close()
