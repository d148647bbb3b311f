"""Asks people from any program: post a question, wait for the answer, take it back.

Set ``SIGNOFF_URL`` (the bot's ``PUBLIC_URL``), ``SIGNOFF_ASK_TOKEN`` (``npm run webhook -- CREW`` prints it) and
``SIGNOFF_POLICY`` (the name of the crew whose rules say who decides), or give all three to :class:`Signoff`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import time
import uuid
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, TypedDict, TypeVar
from urllib.parse import quote, urlsplit

import httpx

from signoff_agents.answers import Answer, AskRefused, AskTimeout, SignoffUnreachable, Value, answer_from_json
from signoff_agents.retry_after import retry_after

if TYPE_CHECKING:
    from typing_extensions import Unpack

log = logging.getLogger("signoff_agents")

T = TypeVar("T")


class _FieldName(TypedDict):
    name: str


class Field(_FieldName, total=False):
    """A value that people fill in.

    ``type`` is ``text`` (the default), ``long_text``, ``number``, ``choice`` or ``date``.
    """

    label: str
    type: str
    options: Sequence[str]
    required: bool
    help: str
    min: float
    max: float


class Question(TypedDict, total=False):
    """What a question may have besides its title and its text."""

    why: str | None
    """Why the program wants to do it, in its own words."""
    outcomes: Sequence[str] | None
    """The names that people choose from. Without outcomes, people approve or reject."""
    fields: Sequence[Field] | None
    """What people fill in, for a question that isn't yes or no. It can't come together with outcomes."""
    inputs: Mapping[str, Value] | None
    """What conditions and ``input:`` approvers of the rules may depend on."""
    expires_in: int | str | timedelta | None
    """For how long people may decide: seconds, a time such as ``4h``, or a timedelta."""
    channel: str | None
    """The id or name of a channel that the bot is in. Default: the crew's."""
    callback: str | None
    """An address that is told the decision. Read it with :func:`signoff_agents.parse_callback`."""
    id: str | None
    """The program's own name for the question: it is asked once under it. Default: a new name for each call."""
    thread: str | None
    """A key of at most 200 characters. Questions with the same key are rounds in one Slack thread."""
    replaces: str | None
    """The ref of a waiting question of the same thread that this one supersedes."""


class Patience(TypedDict, total=False):
    """How long a program waits."""

    timeout: float | None
    """After how many seconds :class:`AskTimeout` is raised. Default: as long as the question waits."""
    cancel_on_timeout: bool
    """Whether the question is taken back then. Default: it goes on waiting, and the error names its ref."""


class Asking(Question, Patience, total=False):
    """The options of :meth:`Signoff.ask`."""

    cancel_on_interrupt: bool | None
    """Whether the question is taken back when this call is interrupted: its asyncio task is cancelled, or Ctrl-C
    ends the program. Default: only if the call has no ``id``, because then nobody can ask for its answer any more.
    A question with an ``id`` goes on waiting, so that the restarted program gets the answer.
    """


# A conversation with Signoff is a generator of calls and pauses, so that programs with and without asyncio share it.
@dataclass(frozen=True)
class Call:
    """A request that is safe to repeat."""

    method: str
    path: str
    body: Mapping[str, object] | None = None
    holds_s: float = 0
    """For how long Signoff holds the answer back at most."""
    limit_s: float = 20.0
    """How long the answer may take beyond that."""


@dataclass(frozen=True)
class Pause:
    """A time in which nothing is sent."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """What came back. ``status`` is None where no answer came, and ``problem`` says why."""

    status: int | None = None
    body: object = None
    retry_after_s: float | None = None
    problem: str = ""


Steps = Generator[Call | Pause, Reply, T]

_MOST_WAIT_S = 50
_UNREACHABLE_S = 300.0
"""How long a question is sent anew where Signoff can't be reached. A restart or an update of the bot takes less."""
_EARLY_PAUSE_S = 2.0
"""The pause where Signoff didn't hold its answer back: it is stopping, or too many programs wait."""
_WITHDRAW_S = 3.0
"""How long a call that is interrupted tries to take its question back."""
_LEAST_PAUSE_S = 0.1
_MOST_PAUSE_S = 30.0


class _OutOfTime(Exception):
    """A call couldn't be answered before its deadline."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply


class Conversation:
    """What is sent to Signoff and when, without sending it. One object serves one call of :class:`Signoff`."""

    def __init__(self, policy: str, now: Callable[[], float] = time.monotonic) -> None:
        self._policy = policy
        self.now = now

    def post(self, question: Mapping[str, object], *, timeout: float | None = None) -> Steps[tuple[Answer, bool]]:
        """Asks, and says whether the question is new: otherwise it was asked before under this id."""
        patience = _UNREACHABLE_S if timeout is None else min(timeout, _UNREACHABLE_S)
        call = Call("POST", "/asks", {"policy": self._policy, **question})
        try:
            reply = yield from self._answered(call, self.now() + patience, waits_as_told=timeout is None)
        except _OutOfTime as late:
            raise _unreachable(late.reply) from None
        return _answer(reply), reply.status == 201

    def wait(
        self,
        answer: Answer,
        *,
        timeout: float | None = None,
        cancel_on_timeout: bool = False,
        since: float | None = None,
    ) -> Steps[Answer]:
        """Waits until the question no longer waits. The timeout runs from ``since``, or now. Raises ``AskTimeout``."""
        start = self.now() if since is None else since
        until = float("inf") if timeout is None else start + timeout
        has_looked = False
        while answer.status == "waiting":
            left = max(0.0, until - self.now())
            if left == 0 and has_looked:
                return (yield from self._timed_out(answer, timeout or 0.0, cancel_on_timeout))
            whole = int(min(left, _MOST_WAIT_S))
            if whole == 0:
                yield Pause(left)
            began, has_looked = self.now(), True
            try:
                reply = yield from self._answered(self._get(answer.ref, whole), until)
            except _OutOfTime:
                yield Pause(max(0.0, until - self.now()))
                continue
            answer = _answer(reply)
            if answer.status == "waiting" and self.now() - began < whole / 2:
                yield Pause(min(_EARLY_PAUSE_S, max(0.0, until - self.now())))
        return answer

    def get(self, ref: str) -> Steps[Answer]:
        """How the question stands."""
        try:
            return _answer((yield from self._answered(self._get(ref, 0), self.now() + _UNREACHABLE_S)))
        except _OutOfTime as late:
            raise _unreachable(late.reply) from None

    def cancel(self, ref: str, *, within_s: float = _UNREACHABLE_S) -> Steps[Answer]:
        """Takes the question back, unless people have decided it."""
        call = Call("DELETE", f"/asks/{quote(ref, safe='')}")
        try:
            return _answer((yield from self._answered(call, self.now() + within_s)))
        except _OutOfTime as late:
            raise _unreachable(late.reply) from None
        except AskRefused as refused:
            # People were faster, or they can still undo what they have decided.
            if refused.status == 409 and refused.answer is not None:
                return refused.answer
            raise

    def withdraw(self, question: Mapping[str, object], ref: str | None) -> Steps[None]:
        """Takes back what an interrupted call has asked, within seconds."""
        if ref is None:
            # Nobody knows whether the question has arrived. Asking it again finds out.
            answer, _ = yield from self.post(question, timeout=_WITHDRAW_S)
            ref = answer.ref
        yield from self.cancel(ref, within_s=_WITHDRAW_S)

    def _timed_out(self, answer: Answer, timeout: float, cancels: bool) -> Steps[Answer]:
        if not cancels:
            raise AskTimeout(answer, timeout, cancelled=False)
        after = yield from self.cancel(answer.ref)
        if after.status not in ("cancelled", "waiting"):
            return after
        raise AskTimeout(answer, timeout, cancelled=after.status == "cancelled")

    @staticmethod
    def _get(ref: str, wait_s: int) -> Call:
        query = f"?wait={wait_s}" if wait_s else ""
        return Call("GET", f"/asks/{quote(ref, safe='')}{query}", holds_s=wait_s)

    def _answered(self, call: Call, until: float, *, waits_as_told: bool = False) -> Steps[Reply]:
        """Repeats a call until Signoff takes it. Raises ``AskRefused``, or ``_OutOfTime`` once it is too late.

        ``waits_as_told``: a pause that Signoff names may be longer than the deadline.
        """
        tries = 0
        while True:
            limit_s = min(call.limit_s, max(1.0, until - self.now() - call.holds_s))
            reply = yield replace(call, limit_s=limit_s)
            if reply.status is not None and not _passes(reply.status):
                if 200 <= reply.status < 300:
                    return reply
                raise _refusal(reply)
            told = reply.retry_after_s
            pause = min(_MOST_PAUSE_S, 0.5 * 2**tries) * random.uniform(0.5, 1) if told is None else told
            pause = max(_LEAST_PAUSE_S, pause)
            if self.now() + pause > until:
                if not (waits_as_told and told is not None):
                    raise _OutOfTime(reply)
                until = self.now() + pause + _UNREACHABLE_S
            reason = f"can't be reached ({reply.problem})" if reply.status is None else f"answered {reply.status}"
            log.warning("Signoff %s: %s is sent again in %.1f seconds", reason, call.method, pause)
            tries += 1
            yield Pause(pause)


def _passes(status: int) -> bool:
    return status == 429 or status >= 500


def _answer(reply: Reply) -> Answer:
    try:
        return answer_from_json(reply.body)
    except ValueError as error:
        message = f"What answers at SIGNOFF_URL isn't Signoff, or is another version of it: {error}."
        raise SignoffUnreachable(message) from None


def _refusal(reply: Reply) -> AskRefused:
    body = reply.body if isinstance(reply.body, Mapping) else {}
    message, problems = body.get("message"), body.get("problems")
    try:
        answer = answer_from_json(body)
    except ValueError:
        answer = None
    decided = f"People have answered already. {answer}" if answer else "It gave no reason."
    said = message if isinstance(message, str) else decided
    if reply.status == 401:
        said += (
            " Check SIGNOFF_ASK_TOKEN and SIGNOFF_POLICY: `npm run webhook -- CREW` prints the token of each crew "
            "below *For programs that ask*."
        )
    return AskRefused(
        reply.status or 0,
        said,
        tuple(str(problem) for problem in problems) if isinstance(problems, list) else (),
        answer,
    )


def _unreachable(reply: Reply) -> AskRefused | SignoffUnreachable:
    if reply.status == 429:
        return _refusal(reply)
    reason = reply.problem if reply.status is None else f"it answered {reply.status}"
    return SignoffUnreachable(f"Signoff can't be reached ({reason}). Check SIGNOFF_URL, and that the bot runs.")


def _reply(response: httpx.Response) -> Reply:
    try:
        body: object = response.json()
    except ValueError:
        body = None
    return Reply(response.status_code, body, retry_after(response.headers))


def _question(title: str, text: str, options: Mapping[str, object]) -> dict[str, object]:
    """The body of the request. It always has an id, so that it may be sent again."""
    question = {"title": title, "text": text, **{name: value for name, value in options.items() if value is not None}}
    question.setdefault("id", str(uuid.uuid4()))
    limit = question.get("expires_in")
    if isinstance(limit, timedelta):
        question["expires_in"] = int(limit.total_seconds())
    return question


class _Ask:
    """One question of one call, which may be interrupted."""

    def __init__(self, conversation: Conversation, title: str, text: str, options: Asking) -> None:
        given: dict[str, object] = dict(options)
        interrupt = given.pop("cancel_on_interrupt", None)
        self._timeout = options.get("timeout")
        self._cancel_on_timeout = options.get("cancel_on_timeout", False)
        for name in ("timeout", "cancel_on_timeout"):
            given.pop(name, None)
        self._cancel_on_interrupt = given.get("id") is None if interrupt is None else bool(interrupt)
        self._question = _question(title, text, given)
        self._conversation = conversation
        self._ref: str | None = None
        self._answer: Answer | None = None

    def steps(self) -> Steps[Answer]:
        conversation, timeout, cancels = self._conversation, self._timeout, self._cancel_on_timeout
        since = conversation.now()
        answer, _ = yield from conversation.post(self._question, timeout=timeout)
        self._ref = answer.ref
        self._answer = yield from conversation.wait(answer, timeout=timeout, cancel_on_timeout=cancels, since=since)
        return self._answer

    def withdraws(self, error: BaseException) -> bool:
        is_interrupt = not isinstance(error, Exception)
        return is_interrupt and self._cancel_on_interrupt and self._answer is None

    def withdraw(self) -> Steps[None]:
        return self._conversation.withdraw(self._question, self._ref)


class Signoff:
    """Asks people by the rules of one crew. It holds no connection, and any number of threads and tasks may share it.

    Each argument has a default in the environment: ``SIGNOFF_URL``, ``SIGNOFF_ASK_TOKEN``, ``SIGNOFF_POLICY``. Raises
    ``ValueError`` that names each missing one.
    """

    def __init__(self, url: str | None = None, token: str | None = None, policy: str | None = None) -> None:
        url = (url or os.environ.get("SIGNOFF_URL", "")).strip().rstrip("/")
        # The address that `npm run webhook` prints is that of the questions.
        url = url.removesuffix("/asks")
        token = (token or os.environ.get("SIGNOFF_ASK_TOKEN", "")).strip()
        policy = (policy or os.environ.get("SIGNOFF_POLICY", "")).strip()
        problems = []
        if not url:
            problems.append("SIGNOFF_URL is missing: the address of the bot, its PUBLIC_URL.")
        elif urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            problems.append("SIGNOFF_URL must be an address that begins with https:// or http://.")
        if not token:
            problems.append("SIGNOFF_ASK_TOKEN is missing: `npm run webhook -- CREW` prints it at the bot.")
        if not policy:
            problems.append("SIGNOFF_POLICY is missing: the name of the crew whose rules say who decides.")
        if problems:
            raise ValueError(" ".join(problems))
        self.url = url
        self.policy = policy
        # A closure, so that no repr and no dump of the attributes shows the token.
        self._headers: Callable[[], dict[str, str]] = lambda: {"authorization": f"Bearer {token}"}

    def __repr__(self) -> str:
        return f"Signoff(url={self.url!r}, policy={self.policy!r})"

    def ask(self, title: str, text: str, **options: Unpack[Asking]) -> Answer:
        """Asks people, and waits for their answer, for days if need be.

        An answer whose ``approved`` is false may also be expired, cancelled or closed. Raises :class:`AskRefused`,
        :class:`AskTimeout`, and :class:`SignoffUnreachable` if the question can't be sent for five minutes. While the
        question waits, this call outlasts restarts of the bot and of the network.
        """
        asked = _Ask(self._conversation(), title, text, options)
        try:
            return self._run(asked.steps())
        except BaseException as error:
            if asked.withdraws(error):
                with contextlib.suppress(Exception):
                    self._run(asked.withdraw())
            raise

    async def async_ask(self, title: str, text: str, **options: Unpack[Asking]) -> Answer:
        """Does the same as :meth:`ask` for asyncio."""
        asked = _Ask(self._conversation(), title, text, options)
        try:
            return await self._async_run(asked.steps())
        except BaseException as error:
            if asked.withdraws(error):
                with contextlib.suppress(Exception):
                    await asyncio.shield(self._async_run(asked.withdraw()))
            raise

    def post(self, title: str, text: str, **question: Unpack[Question]) -> Answer:
        """Asks people without waiting. The answer waits, unless the same was asked before under this ``id``."""
        return self._run(self._conversation().post(_question(title, text, question)))[0]

    async def async_post(self, title: str, text: str, **question: Unpack[Question]) -> Answer:
        """Does the same as :meth:`post` for asyncio."""
        return (await self.async_open(title, text, **question))[0]

    async def async_open(self, title: str, text: str, **question: Unpack[Question]) -> tuple[Answer, bool]:
        """Asks people without waiting, and says whether the question is new, or was asked before under this ``id``."""
        return await self._async_run(self._conversation().post(_question(title, text, question)))

    def wait(self, ref: str, **patience: Unpack[Patience]) -> Answer:
        """Waits for the answer to what was asked before. Raises :class:`AskTimeout`."""
        return self._run(self._conversation().wait(Answer(ref, "waiting"), **patience))

    async def async_wait(self, ref: str, **patience: Unpack[Patience]) -> Answer:
        """Does the same as :meth:`wait` for asyncio."""
        return await self._async_run(self._conversation().wait(Answer(ref, "waiting"), **patience))

    def get(self, ref: str) -> Answer:
        """Returns how the question stands now."""
        return self._run(self._conversation().get(ref))

    async def async_get(self, ref: str) -> Answer:
        """Does the same as :meth:`get` for asyncio."""
        return await self._async_run(self._conversation().get(ref))

    def cancel(self, ref: str) -> Answer:
        """Takes the question back. The answer is ``cancelled``; or what people have decided, if they were faster; or it
        ``waiting``, as long as they can undo what they have decided.
        """
        return self._run(self._conversation().cancel(ref))

    async def async_cancel(self, ref: str) -> Answer:
        """Does the same as :meth:`cancel` for asyncio."""
        return await self._async_run(self._conversation().cancel(ref))

    def _conversation(self) -> Conversation:
        return Conversation(self.policy)

    def _run(self, steps: Steps[T]) -> T:
        reply = Reply()
        with httpx.Client() as client:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    reply = Reply()
                else:
                    try:
                        reply = _reply(client.send(self._request(client, step)))
                    except httpx.RequestError as error:
                        reply = Reply(problem=f"{type(error).__name__}: {error}")
                try:
                    step = steps.send(reply)
                except StopIteration as end:
                    result: T = end.value
                    return result

    async def _async_run(self, steps: Steps[T]) -> T:
        reply = Reply()
        async with httpx.AsyncClient() as client:
            step = next(steps)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    reply = Reply()
                else:
                    try:
                        reply = _reply(await client.send(self._request(client, step)))
                    except httpx.RequestError as error:
                        reply = Reply(problem=f"{type(error).__name__}: {error}")
                try:
                    step = steps.send(reply)
                except StopIteration as end:
                    result: T = end.value
                    return result

    def _request(self, client: httpx.Client | httpx.AsyncClient, call: Call) -> httpx.Request:
        headers = {**self._headers(), "content-type": "application/json"}
        content = None if call.body is None else json.dumps(call.body).encode()
        timeout = httpx.Timeout(call.limit_s, read=call.holds_s + call.limit_s)
        url = f"{self.url}{call.path}"
        return client.build_request(call.method, url, headers=headers, content=content, timeout=timeout)


def ask(title: str, text: str, **options: Unpack[Asking]) -> Answer:
    """Asks people, and waits for their answer: :meth:`Signoff.ask` with the settings of the environment."""
    return Signoff().ask(title, text, **options)


async def async_ask(title: str, text: str, **options: Unpack[Asking]) -> Answer:
    """Does the same as :func:`ask` for asyncio."""
    return await Signoff().async_ask(title, text, **options)
