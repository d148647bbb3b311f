"""
Runs of one crew. A run works in a thread of its own, and everything that matters is stored before anybody is told of it, so a
new process goes on where the last one stopped.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import logging
import threading
import time
import uuid
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, Protocol

from .records import Address, Addresses, Json, Notification, Outcome, Question, RunRecord, TaskRecord
from .requests import Kickoff, Refusal, Resume
from .stores import Store, StoreLost
from .webhooks import Sender, pause_after

log = logging.getLogger("signoff_agents.serve")

#: Notifications of tasks and ends are tried for about eight minutes. Whoever waits for them asks for the status as well.
EVENT_ATTEMPTS = 20
#: Steps are shown while they happen, so old ones are dropped.
MOST_STEPS_WAITING = 100
DAY_S = 86_400.0


class Abandoned(BaseException):
    """Ends what still works for a run, or for an attempt at a task, that is over. No program should catch it."""


class RunFailed(Exception):
    """Ends a run with a sentence that people may read. Other exceptions only reach the log."""


@dataclass(frozen=True)
class Decision:
    """What a person decided about an output."""

    approved: bool
    #: The output that was decided about.
    output: str
    #: What the person wrote. A rejection always says something.
    feedback: str

    @property
    def text(self) -> str:
        """The output that was approved: that of the task, or what the person made of it."""
        head, _, edited = self.feedback.partition("\n")
        return edited if self.approved and head == EDITS and edited else self.output


EDITS = "Approved with these edits:"
"""The first line of an approval's feedback if the edited text follows."""

WITHOUT_REASON = "Rejected, without a reason. Try something else."


class Program(Protocol):
    """What is served: a crew, a flow, or anything else that works in a thread and asks through its run."""

    #: The inputs in the order in which people are asked for them.
    inputs: list[str]
    #: A kickoff without one of these inputs is refused.
    required: list[str]

    def run(self, inputs: dict[str, Json], run: Run) -> str:
        """
        Works until the result is there, and returns it. It is called again with the same run after a restart of the process,
        and finds in the run what it had done before.

        Raises `RunFailed` with a sentence for people if it can't go on.
        """


class Run:
    """One execution, as its program sees it. All methods may be called from any thread."""

    def __init__(self, record: RunRecord, store: Store, sender: Sender) -> None:
        self._record = record
        self._store = store
        self._sender = sender
        self._changed = threading.Condition(threading.RLock())
        #: How many questions of each task this process has gone past.
        self._passed: Counter[str] = Counter()
        #: The tasks that this process has named by `other_task`, or has gone past.
        self._named: set[str] = set()
        #: For how many seconds people's decisions have been waited for, by task; and since when, where one is waited for now.
        self._waited: defaultdict[str, float] = defaultdict(float)
        self._waiting_since: dict[str, float] = {}
        self._lane: deque[Notification] = deque()
        self._lane_works = False

    @property
    def id(self) -> str:
        return self._record.id

    # --- For programs

    def has_begun(self) -> bool:
        """Whether an earlier process has begun the run."""
        with self._changed:
            return self._record.plan is not None

    def begin(self, labels: dict[str, str], plan: dict[str, str] | None = None) -> None:
        """
        Names the tasks in their order, by ids that stay the same in each process.

        Raises `RunFailed` if the run began with another `plan`; by default, these are the labels.
        """
        plan = labels if plan is None else plan
        with self._changed:
            if self._record.plan not in (None, plan):
                raise RunFailed(
                    "The crew was changed while this run was under way, so it can't go on with its tasks. Start it again."
                )
            self._record.plan = plan
            for task_id, label in labels.items():
                self._record.tasks.setdefault(task_id, TaskRecord(label))

    def remember(self, name: str, value: Json) -> None:
        """Stores something of the program's own."""
        with self._changed:
            self._record.memory[name] = value
            self._save()

    def memory(self) -> dict[str, Json]:
        """What the program has stored by `ask` and `remember`."""
        with self._changed:
            return dict(self._record.memory)

    def output_of(self, task_id: str) -> Json:
        """What the task put out; None until it has ended."""
        with self._changed:
            return self._record.tasks[task_id].output

    def start_task(self, task_id: str, label: str) -> None:
        with self._changed:
            self._record.current_task = self._record.tasks.setdefault(task_id, TaskRecord(label)).label
            self._save()

    def complete_task(self, task_id: str, output: Json, details: dict[str, Json]) -> None:
        """
        Stores that a task has ended.

        :param output: what `output_of` returns from now on
        :param details: what the client hears of the task, besides its ids and its name
        """
        with self._changed:
            # CrewAI may tell of the end of a flow's method before it tells of its beginning.
            task = self._record.tasks.setdefault(task_id, TaskRecord(task_id))
            task.output = output
            self._close_questions(task)
            body = {"task_id": task_id, "status": "completed", "name": task.label, **details}
            self._save_and_notify("task", self._record.addresses.task, body)

    def step(self, task_id: str, details: dict[str, Json]) -> None:
        """Tells of a step of an agent, if that reaches the client at once."""
        with self._changed:
            address = self._record.addresses.step
            if address is None or len(self._lane) >= MOST_STEPS_WAITING:
                return
            body = {**self._ids(), "task_id": task_id, **details}
            self._enter_lane(Notification(id=0, event="step", address=address, body=body))

    def ask(self, task_id: str, label: str, output: str, memory: Callable[[], dict[str, Json]] = dict) -> Decision:
        """
        Asks a person about the output of a task, and waits for the decision. Where the run had asked about the same output
        before the process was restarted, that question counts, with its decision.

        :param memory: returns what the run is to remember besides what it does. It is called when that is stored together
            with the question, and nothing else changes the run's memory meanwhile.

        A kickoff without an address for questions doesn't pause, so everything is approved then.
        """
        with self._changed:
            if self._record.outcome is not None:
                raise Abandoned
            self._record.memory.update(memory())
            task = self._record.tasks.setdefault(task_id, TaskRecord(label))
            for question in task.questions[self._passed[task_id] :]:
                if question.text == output and question.status != "closed":
                    return self._decision_on(task_id, question)
                # The program put out something else this time: what nobody saw can't have been decided about. What people
                # said against an earlier text still counts.
                if question.status != "rejected":
                    self._close(question)
                self._passed[task_id] += 1
            address = task.human_input or self._record.addresses.human_input
            if address is None:
                log.warning(
                    "%s: %s goes on without a review, since the kickoff named no humanInputWebhook", self.id, label
                )
                return Decision(approved=True, output=output, feedback="")
            question = Question(output)
            task.questions.append(question)
            self._record.current_task = label
            body = {"task_id": task_id, "task_name": label, "task_output": output}
            self._save_and_notify("human_input", address, body, question=(task_id, len(task.questions) - 1))
            return self._decision_on(task_id, question)

    def recall(self, task_id: str) -> Decision | None:
        """
        The approval of the next output of a task that the run had asked about before the process was restarted. If that
        question is still open, waits for it. None if the task has to work: nothing was approved.
        """
        with self._changed:
            questions = self._record.tasks[task_id].questions
            while self._passed[task_id] < len(questions):
                question = questions[self._passed[task_id]]
                if question.status == "closed":
                    self._passed[task_id] += 1
                    continue
                decision = self._decision_on(task_id, question)
                if decision.approved:
                    return decision
            return None

    def question_counts(self) -> dict[str, int]:
        """How many questions each task has asked so far."""
        with self._changed:
            return {task_id: len(task.questions) for task_id, task in self._record.tasks.items()}

    def go_past(self, counts: dict[str, int]) -> None:
        """Skips the questions that `question_counts` had counted. A program that goes on from a later point won't ask them."""
        with self._changed:
            for task_id, count in counts.items():
                self._passed[task_id] = count
            self._named.update(counts)

    def other_task(self, label: str, words: str) -> str:
        """
        Names a task that `begin` doesn't know, so that no two of them share a name: each has its own questions.

        :param words: what tells the task apart from others of this label. In the next process, it gets its name again by them
        """
        digest = hashlib.sha256(words.encode(errors="replace")).hexdigest()
        with self._changed:
            for number in itertools.count(1):
                task_id = f"other-{label}" if number == 1 else f"other-{label}-{number}"
                task = self._record.tasks.get(task_id)
                if task_id not in self._named and (task is None or task.words == digest):
                    self._named.add(task_id)
                    self._record.tasks[task_id] = task or TaskRecord(label, words=digest)
                    return task_id
            raise AssertionError

    def is_asking(self, task_id: str) -> bool:
        with self._changed:
            task = self._record.tasks.get(task_id)
            return task is not None and task.is_asking()

    def rejections(self, task_id: str) -> list[Decision]:
        """What people rejected of a task so far, the oldest first."""
        with self._changed:
            questions = self._record.tasks[task_id].questions if task_id in self._record.tasks else []
            return [Decision(False, each.text, each.feedback) for each in questions if each.status == "rejected"]

    def notes_for(self, task_id: str) -> list[tuple[str, str]]:
        """
        What people wrote when they approved other tasks, as pairs of the task's name and the note. The first task that starts
        after an approval gets its note, and gets it again if it starts again.
        """
        with self._changed:
            notes: list[tuple[str, str]] = []
            is_changed = False
            for other_id, other in self._record.tasks.items():
                for question in other.questions if other_id != task_id else []:
                    if question.status != "approved" or question.feedback.strip() in ("", EDITS):
                        continue
                    if question.feedback.startswith(f"{EDITS}\n"):
                        # The task that follows gets the edited text itself.
                        continue
                    if question.note_for is None:
                        question.note_for, is_changed = task_id, True
                    if question.note_for == task_id:
                        notes.append((other.label, question.feedback))
            if is_changed:
                self._save()
            return notes

    def waited(self, task_id: str) -> float:
        """For how many seconds this process has waited for people to decide about a task."""
        with self._changed:
            now = time.monotonic()
            return self._waited[task_id] + now - self._waiting_since.get(task_id, now)

    # --- For the routes

    def resume(self, resume: Resume) -> None:
        """Takes a decision, once. Raises `Refusal` (400) if the task waits for none."""
        with self._changed:
            task = self._record.tasks.get(resume.task_id)
            question = task.questions[-1] if task and task.questions else None
            if task is None or question is None or question.status != "open":
                raise Refusal(
                    400, "not-pending", f"Execution {self.id} is not pending human input for task {resume.task_id}."
                )
            before = (self._record.addresses, task.human_input)
            question.status = "approved" if resume.is_approve else "rejected"
            question.feedback = resume.human_feedback
            if not resume.is_approve and not question.feedback.strip():
                question.feedback = WITHOUT_REASON
            given = resume.addresses
            kept = self._record.addresses.human_input
            self._record.addresses = Addresses(human_input=kept, task=given.task, step=given.step, crew=given.crew)
            task.human_input = given.human_input or task.human_input
            try:
                self._store_now()
            except BaseException:
                question.status, question.feedback = "open", ""
                self._record.addresses, task.human_input = before
                # It may have been stored nevertheless, or may be later on.
                threading.Thread(target=self._save_again, daemon=True).start()
                raise
            self._changed.notify_all()

    def status(self) -> dict[str, Json]:
        with self._changed:
            return status_of(self._record)

    # --- From the first step to the last

    def work(self, program: Program) -> None:
        """Runs the program to its end, and delivers what is owed."""
        with self._changed:
            for notification in self._record.outbox:
                self._dispatch(notification)
            if self._record.outcome is not None:
                return
        try:
            outcome = Outcome("completed", program.run(self._record.inputs, self))
        except StoreLost:
            return
        except RunFailed as error:
            log.warning("%s: %s", self.id, error)
            outcome = Outcome("failed", str(error))
        except BaseException as error:
            log.exception("%s failed", self.id)
            outcome = Outcome("failed", self._failure(error))
        with self._changed:
            for task in self._record.tasks.values():
                self._close_questions(task)
            self._record.outcome = outcome
            name = "result" if outcome.status == "completed" else "error"
            body = {"status": outcome.status, name: outcome.text}
            self._save_and_notify("crew", self._record.addresses.crew, body)

    def _failure(self, error: BaseException) -> str:
        # An exception's own text may hold addresses, paths and secrets, and nobody in a channel can act on it.
        where = f"“{self._record.current_task}” failed" if self._record.current_task else "The crew failed"
        return f"{where} ({type(error).__name__}). The log of the crew's service says more, under {self.id}."

    # --- Inside

    def _decision_on(self, task_id: str, question: Question) -> Decision:
        self._waiting_since[task_id] = time.monotonic()
        try:
            self._changed.wait_for(lambda: question.status != "open")
        finally:
            now = time.monotonic()
            self._waited[task_id] += now - self._waiting_since.pop(task_id, now)
        if question.status == "closed":
            raise Abandoned
        self._passed[task_id] += 1
        return Decision(question.status == "approved", question.text, question.feedback)

    def _close_questions(self, task: TaskRecord) -> None:
        for question in task.questions:
            if question.status == "open":
                self._close(question)

    def _close(self, question: Question) -> None:
        question.status = "closed"
        self._changed.notify_all()

    def _ids(self) -> dict[str, Json]:
        return {"execution_id": self.id, "kickoff_id": self.id}

    def _save_and_notify(
        self,
        event: Literal["human_input", "task", "crew"],
        address: Address | None,
        body: dict[str, Json],
        *,
        question: tuple[str, int] | None = None,
    ) -> None:
        """Stores the run, together with the notification if somebody wants it, which is sent after that."""
        if address is None:
            self._save()
            return
        self._record.last_notification += 1
        ids = {"execution_id": self.id} if event == "human_input" else self._ids()
        notification = Notification(self._record.last_notification, event, address, {**ids, **body}, question)
        self._record.outbox.append(notification)
        self._save()
        self._dispatch(notification)

    def _save(self) -> None:
        """Stores the record, however long that takes: the run waits for its store."""
        for attempt in range(1, 1_000_000):
            try:
                self._store_now()
                return
            except Exception:
                log.exception("%s could not be stored; this is tried again", self.id)
                self._changed.wait(min(attempt, 10))

    def _save_again(self) -> None:
        with self._changed, contextlib.suppress(StoreLost):
            self._save()

    def _store_now(self) -> None:
        ended = self._record.outcome is not None and not self._record.outbox
        self._store.save(self.id, self._record.to_json(), ended=ended)

    def _dispatch(self, notification: Notification) -> None:
        if notification.question is not None:
            threading.Thread(target=self._deliver_question, args=(notification,), daemon=True).start()
        else:
            self._enter_lane(notification)

    def _enter_lane(self, notification: Notification) -> None:
        self._lane.append(notification)
        if not self._lane_works:
            self._lane_works = True
            threading.Thread(target=self._deliver_lane, daemon=True).start()

    def _deliver_question(self, notification: Notification) -> None:
        """Tries until it is taken or refused, or has been decided otherwise."""

        def is_answered() -> bool:
            task_id, position = notification.question or ("", 0)
            return self._record.tasks[task_id].questions[position].status != "open"

        self._deliver(notification, attempts=None, until=is_answered)

    def _deliver_lane(self) -> None:
        """Sends what happened in the order in which it happened."""
        while True:
            with self._changed:
                if not self._lane:
                    self._lane_works = False
                    return
                notification = self._lane.popleft()
            attempts = 1 if notification.event == "step" else EVENT_ATTEMPTS
            self._deliver(notification, attempts=attempts, until=lambda: False)

    def _deliver(self, notification: Notification, *, attempts: int | None, until: Callable[[], bool]) -> None:
        attempt = 0
        while True:
            with self._changed:
                # It may have been decided just before the process ended.
                if until():
                    break
            attempt += 1
            receipt = self._sender.post(notification.address, notification.body)
            if receipt.kind != "taken":
                log.warning("%s: the notification %s was not taken: %s", self.id, notification.event, receipt.detail)
            if receipt.kind != "later" or attempt == attempts:
                break
            with self._changed:
                if self._changed.wait_for(until, pause_after(attempt, receipt)):
                    break
        with self._changed:
            if notification in self._record.outbox:
                self._record.outbox.remove(notification)
                try:
                    self._save()
                except StoreLost:
                    return


def status_of(record: RunRecord) -> dict[str, Json]:
    """`state` is what CrewAI's own clients read; `status` is the word of the specification."""
    if record.outcome is not None:
        if record.outcome.status == "completed":
            return {"state": "SUCCESS", "status": "completed", "result": record.outcome.text}
        return {"state": "FAILED", "status": "error", "error": record.outcome.text}
    waits = any(task.is_asking() for task in record.tasks.values())
    completed = sum(task.output is not None for task in record.tasks.values())
    return {
        "state": "Pending Human Input" if waits else "RUNNING",
        "status": "Pending Human Input" if waits else "running",
        "current_task": record.current_task,
        "progress": {"completed_tasks": completed, "total_tasks": len(record.tasks)},
    }


#: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ (Error Scenarios)
_KEY_REUSED = (
    "Another kickoff was sent with this Idempotency-Key or meta.requestId. "
    "Repeat a kickoff as it was, and give a new one another key."
)


class Runs:
    """All runs of one program. Until `restore` has returned, every request is refused with 503."""

    def __init__(self, store: Store, *, keep_days: float) -> None:
        self._store = store
        self._keep_s = keep_days * DAY_S
        self._sender = Sender()
        self._lock = threading.Lock()
        self._kickoffs = threading.Lock()
        self._open: dict[str, Run] = {}
        self._program: Program | None = None
        self._stopping = threading.Event()

    def restore(self, program: Program) -> None:
        """Becomes the only process that works with the store, and goes on with every run that has not ended."""
        waits = False
        while not self._acquire():
            if self._stopping.wait(1):
                return
            if not waits:
                log.warning("Another process works with these runs. This one takes over when it ends.")
            waits = True
        for data in self._store.open_runs():
            self._start(Run(RunRecord.from_json(data), self._store, self._sender), program)
        with self._lock:
            self._program = program
        if self._open:
            log.info("Runs that go on: %d", len(self._open))
        threading.Thread(target=self._sweep, daemon=True).start()

    def _acquire(self) -> bool:
        try:
            return self._store.acquire()
        except Exception:
            log.exception("The store can't be reached; this is tried again")
            return False

    def inputs(self) -> list[str]:
        return self._ready().inputs

    def kickoff(self, kickoff: Kickoff) -> str:
        """
        Starts a run and returns its id. A kickoff that repeats one starts nothing and gets the id of that run.

        Raises `Refusal` (422) if inputs are missing, or another kickoff had the same key.
        """
        program = self._ready()
        # Of two that are the same and come at once, one starts.
        with self._kickoffs, _unavailable_on_trouble():
            return self._started_before(kickoff, program) or self._start_new(kickoff, program)

    def _started_before(self, kickoff: Kickoff, program: Program) -> str | None:
        found = self._store.started_with(kickoff.keys)
        # Looked at before the record: a run that ends in between isn't open any more, and must not start again.
        is_open = any(run_id in self._open for run_id in found)
        records = [RunRecord.from_json(data) for data in map(self._store.load, found) if data is not None]
        if not records:
            return None
        record, *others = records
        if others or record.kickoff_digest != kickoff.digest:
            raise Refusal(422, "key-reused", _KEY_REUSED)
        # It was stored, but the client was told otherwise.
        if record.outcome is None and not is_open:
            self._start(Run(record, self._store, self._sender), program)
        return record.id

    def _start_new(self, kickoff: Kickoff, program: Program) -> str:
        missing = [name for name in program.required if kickoff.inputs.get(name) in (None, "")]
        if missing:
            raise Refusal(422, "missing-inputs", f"Missing inputs: {', '.join(missing)}", missing_inputs=missing)
        record = RunRecord(
            id=str(uuid.uuid4()),
            inputs=kickoff.inputs,
            addresses=kickoff.addresses,
            kickoff_keys=list(kickoff.keys),
            kickoff_digest=kickoff.digest if kickoff.keys else "",
        )
        self._store.save(record.id, record.to_json(), ended=False)
        self._start(Run(record, self._store, self._sender), program)
        return record.id

    def resume(self, resume: Resume) -> None:
        self._ready()
        run = self._open.get(resume.execution_id)
        if run is None:
            # One that has ended waits for nobody.
            self.status(resume.execution_id)
            raise Refusal(400, "not-pending", f"Execution {resume.execution_id} has ended.")
        with _unavailable_on_trouble():
            run.resume(resume)

    def status(self, run_id: str) -> dict[str, Json]:
        """Raises `Refusal` (404) if there is no such run."""
        self._ready()
        run = self._open.get(run_id)
        if run is not None:
            return run.status()
        with _unavailable_on_trouble():
            data = self._store.load(run_id)
        if data is None:
            raise Refusal(404, "not-found", "There is no such execution.")
        return status_of(RunRecord.from_json(data))

    def close(self) -> None:
        """Lets go of the store. Runs are as they were stored, and go on in the next process."""
        self._stopping.set()
        self._sender.close()
        self._store.close()

    def _ready(self) -> Program:
        with self._lock:
            if self._program is None:
                raise _unavailable("The service is starting. Send this again.", after_s=2)
            return self._program

    def _start(self, run: Run, program: Program) -> None:
        with self._lock:
            self._open[run.id] = run
        threading.Thread(target=self._work, args=(run, program), name=run.id, daemon=True).start()

    def _work(self, run: Run, program: Program) -> None:
        run.work(program)
        # From here on the store answers for it.
        with self._lock:
            del self._open[run.id]

    def _sweep(self) -> None:
        while True:
            try:
                self._store.forget(time.time() - self._keep_s)
            except Exception:
                log.exception("Old runs could not be deleted; this is tried again")
            if self._stopping.wait(3600):
                return


def _unavailable(message: str, *, after_s: int) -> Refusal:
    refusal = Refusal(503, "unavailable", message)
    refusal.headers["Retry-After"] = str(after_s)
    return refusal


@contextmanager
def _unavailable_on_trouble() -> Iterator[None]:
    """The client may send it again: nothing has happened."""
    try:
        yield
    except Refusal:
        raise
    except StoreLost as error:
        raise _unavailable("The service is stopping. Send this again.", after_s=2) from error
    except Exception as error:
        log.exception("The store could not be used")
        raise _unavailable("The service can't store this right now. Send it again.", after_s=5) from error
