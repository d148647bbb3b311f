import { describe, expect, it } from 'vitest';
import type { StatusReading } from '../../../src/core/execution/events.ts';
import { firstPollAt } from '../../../src/core/execution/poll-schedule.ts';
import {
  ACTIVITY_WINDOW_MS,
  catchUp,
  endRun,
  MOST_TASK_REPLIES,
  recordCompletion,
  recordStep,
  recordTask,
  renewStatus,
  STATUS_REFRESH_MS,
  settleStatus,
  tasksDone,
} from '../../../src/core/execution/run.ts';
import { claimPoll, LOST_FOR_GOOD_MS, NOT_FOUND_GRACE_MS, recordStatus } from '../../../src/core/execution/tracking.ts';
import { claimMessage, settleMessage } from '../../../src/core/messages/delivery.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import { rootModel } from '../../../src/core/messages/view-models.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { decide } from '../../../src/core/request/decide.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { ENDING, postOf } from '../../../src/core/state/message.ts';
import { duePost } from '../../../src/core/state/post.ts';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { changed, execution, request } from '../../support/executions.ts';
import {
  decided,
  delivered,
  MARIA,
  output,
  PERMITTED,
  pending,
  RULES,
  refused,
  rejection,
  START,
  sending,
  UNKNOWN_RUN,
  unconfirmed,
} from '../../support/requests.ts';

const EVENT = { hop: 0, kickoffId: 'k1' };
const WAITING: StatusReading = { kind: 'waiting', completed: null, total: null, current: null };
const RUNNING: StatusReading = { kind: 'running', completed: 2, total: 5, current: 'Draft' };
const NOT_FOUND: StatusReading = { kind: 'not-found' };

const task = (name: string) => ({ ...EVENT, name, agent: null, summary: name, output: null });

/** The delays of the next polls, in seconds, each made when it is due. */
function pollDelays(before: Execution, times: number): number[] {
  let each = before;
  const delays: number[] = [];
  for (let i = 0; i < times; i++) {
    const now = each.poll.nextAt ?? 0;
    each = claimPoll(each, now);
    delays.push(((each.poll.nextAt ?? 0) - now) / 1_000);
  }
  return delays;
}

const started = execution({ poll: { ...execution().poll, nextAt: START, count: 0 } });

describe('polls', () => {
  it('come at growing intervals up to a minute', () => {
    const delays = pollDelays(started, 20);
    expect(delays[0]).toBeLessThan(4);
    expect(Math.max(...delays)).toBeLessThanOrEqual(72);
    expect(Math.min(...delays.slice(-5))).toBeGreaterThanOrEqual(48);
  });

  it('of different runs are not in step', () => {
    expect(pollDelays(started, 5)).not.toEqual(pollDelays({ ...started, ref: 'ref2' }, 5));
  });

  it('are rare while a person is asked', () => {
    const [delay] = pollDelays({ ...started, requests: [pending()] }, 1);
    expect(delay).toBeGreaterThanOrEqual(96);
  });

  it('are planned before they are made, so that a worker who dies over one loses none', () => {
    const claimed = claimPoll(started, START);
    expect(claimed.poll.nextAt).toBeGreaterThan(START);
    expect(claimPoll(claimed, START)).toBe(claimed);
  });

  it('wait while notifications come', () => {
    const polled = { ...started, poll: { ...started.poll, count: 1 } };
    expect(recordTask(polled, task('Collect'), START).poll.nextAt).toBeGreaterThanOrEqual(START + 24_000);
  });

  it('are begun all the same, since only a status tells how many tasks there are', () => {
    expect(recordTask(started, task('Collect'), START).poll.nextAt).toBe(started.poll.nextAt);
  });

  it('stop with the end', () => {
    for (const reading of [
      { kind: 'completed', result: null },
      { kind: 'failed', error: 'no ink' },
    ] as const)
      expect(recordStatus(started, reading, START).poll.nextAt).toBeNull();
  });

  it('tell how far the run is, and never that it is less far', () => {
    const told = recordStatus(recordTask(started, task('Collect'), START), RUNNING, START);
    expect(told.progress).toEqual({ completed: 2, total: 5, current: 'Draft' });
    expect(recordStatus(told, { ...RUNNING, completed: 1, total: null, current: null }, START).progress).toEqual(
      told.progress,
    );
  });

  it('show trouble with the service until one goes well', () => {
    const troubled = recordStatus(started, { kind: 'unauthorized' }, START);
    expect(rootModel(troubled).trouble).toBe('unauthorized');
    expect(rootModel(recordStatus(troubled, RUNNING, START)).trouble).toBeNull();
  });

  it('show no trouble when the run has ended meanwhile', () => {
    const troubled = recordStatus(started, { kind: 'unreachable' }, START);
    const completed = recordCompletion(troubled, { hop: 0, kickoffId: null, result: null }, START);
    expect(rootModel(completed)).toMatchObject({ run: { status: 'completed' }, trouble: null });
  });
});

describe('a run that the service does not know', () => {
  const later = START + NOT_FOUND_GRACE_MS;
  const once = recordStatus(started, NOT_FOUND, START);

  it('is lost after two minutes of that', () => {
    expect(recordStatus(once, NOT_FOUND, later - 1).run.status).toBe('running');
    expect(recordStatus(once, NOT_FOUND, later).run).toEqual({ status: 'lost', lostAt: later });
  });

  it('is asked for every ten minutes for a day, and lives again when the service remembers it', () => {
    const lost = recordStatus(once, NOT_FOUND, later);
    const asked = claimPoll(lost, lost.poll.nextAt ?? 0);
    const pauseMinutes = ((asked.poll.nextAt ?? 0) - (lost.poll.nextAt ?? 0)) / 60_000;
    expect(pauseMinutes).toBeGreaterThanOrEqual(8);
    expect(pauseMinutes).toBeLessThanOrEqual(12);
    const dayLater = later + LOST_FOR_GOOD_MS;
    expect(recordStatus(asked, NOT_FOUND, dayLater - 1)).toEqual(asked);
    for (const reading of [NOT_FOUND, { kind: 'unreachable' }] as const)
      expect(recordStatus(asked, reading, dayLater)).toMatchObject({ run: { status: 'lost' }, poll: { nextAt: null } });

    const found = recordStatus(asked, RUNNING, dayLater);
    expect(found).toMatchObject({ run: { status: 'running' }, poll: { nextAt: firstPollAt(dayLater), count: 0 } });
    expect(recordStatus(asked, { kind: 'completed', result: null }, dayLater).run.status).toBe('completed');
  });

  it('is not lost when it was known in between, or told us something', () => {
    expect(recordStatus(recordStatus(once, RUNNING, START), NOT_FOUND, later).run.status).toBe('running');
    expect(recordStatus(recordTask(once, task('Collect'), START), NOT_FOUND, later).run.status).toBe('running');
  });

  it('is not lost while a person is asked, or a resume is on its way, refused or in doubt', () => {
    for (const approval of [pending(), decided(), sending(), refused(), unconfirmed()]) {
      const asked = { ...once, requests: [approval] };
      expect(recordStatus(asked, NOT_FOUND, later).run).toEqual(asked.run);
    }
  });

  it('is lost after two minutes of that once its service has said the same to a decision, unless another person is asked', () => {
    const told = { ...once, requests: [refused({ failure: UNKNOWN_RUN })] };
    expect(recordStatus(told, NOT_FOUND, later - 1).run.status).toBe('running');
    expect(recordStatus(told, NOT_FOUND, later).run).toEqual({ status: 'lost', lostAt: later });
    const beside = { ...told, requests: [...told.requests, pending({ id: '2', taskId: 'other' })] };
    expect(recordStatus(beside, NOT_FOUND, later).run).toEqual(beside.run);
  });

  it('lives again with the next notification', () => {
    const lost = recordStatus(once, NOT_FOUND, later);
    const result = ask(lost, request(), later, RULES);
    expect(result.ok && result.value).toMatchObject({ run: { status: 'waiting' }, poll: { notFoundSince: null } });
    expect(recordTask(lost, task('Collect'), later).poll.nextAt).toBeGreaterThan(later);
  });
});

describe('a run that waits for a person although no request has reached us', () => {
  const twice = recordStatus(recordStatus(started, WAITING, START), WAITING, START);

  it('says so after the second poll that finds it', () => {
    expect(rootModel(recordStatus(started, WAITING, START)).waitingUnseen).toBe(false);
    expect([twice.run.status, rootModel(twice).waitingUnseen]).toEqual(['waiting', true]);
  });

  it('says so no more when it runs, tells us something or asks', () => {
    const asked = ask(twice, request(), START, RULES);
    for (const after of [recordStatus(twice, RUNNING, START), recordTask(twice, task('Collect'), START)])
      expect([after.run.status, rootModel(after).waitingUnseen]).toEqual(['running', false]);
    expect(asked.ok && rootModel(asked.value).waitingUnseen).toBe(false);
  });

  it('is nothing new while a request of it is open', () => {
    const asked: Execution = { ...started, requests: [pending()] };
    const polled = [1, 2, 3].reduce((each) => recordStatus(each, WAITING, START), asked);
    expect(rootModel(polled).waitingUnseen).toBe(false);
  });
});

describe('agent steps', () => {
  it('are told at once, and then gathered for a moment', () => {
    const first = recordStep(started, EVENT, START);
    expect(first.activity.refreshAt).toBe(START);
    const shown = catchUp(first, START);
    const next = recordStep(shown, EVENT, START + 1);
    expect(next.activity.refreshAt).toBe(START + ACTIVITY_WINDOW_MS);
    expect([1, 2, 3].reduce((each) => recordStep(each, EVENT, START + 2), next)).toBe(next);
    expect(catchUp(next, START + ACTIVITY_WINDOW_MS - 1)).toBe(next);
    expect(catchUp(next, START + ACTIVITY_WINDOW_MS)).not.toBe(next);
  });

  const working = { ...started, activity: { seen: 0, refreshAt: START } };

  it('are told again before Slack takes the status away, as long as agents are at work', () => {
    expect(catchUp(working, START).activity.refreshAt).toBe(START + STATUS_REFRESH_MS);
    expect(STATUS_REFRESH_MS).toBeLessThan(120_000);
    const asked: Execution = { ...working, requests: [pending()], run: { status: 'waiting' } };
    expect(catchUp(asked, START).activity.refreshAt).toBeNull();
    const silent = settleStatus(catchUp(working, START), 'silent');
    expect(silent.activity).toEqual({ seen: 0, refreshAt: null });
  });

  it('are told again once a message has taken the status away', () => {
    const shown = catchUp(working, START);
    expect(renewStatus(shown, START + 1).activity.refreshAt).toBe(START + 1);
    const asked: Execution = { ...shown, requests: [pending()], run: { status: 'waiting' } };
    expect(renewStatus(asked, START + 1)).toBe(asked);
    const silent = settleStatus(shown, 'silent');
    expect(renewStatus(silent, START + 1)).toBe(silent);
  });

  it('that come before the first message are told once it is posted', () => {
    const early = changed(working, { root: duePost(START) });
    const posted = { kind: 'posted' as const, ts: '1.1', shown: '' };
    const claimed = claimMessage(catchUp(early, START), { kind: 'root' }, 'p1', START);
    const settled = settleMessage(claimed, { message: { kind: 'root' }, attempt: 1, outcome: posted }, START + 500);
    expect(settled.activity.refreshAt).toBe(START + 500);
  });

  it('change the first message only where Slack takes no status', () => {
    const shown = catchUp(working, START);
    const wanted = wantedFor(working, { kind: 'root' });
    expect(wantedFor(settleStatus(shown, 'told'), { kind: 'root' })).toBe(wanted);
    const refused = settleStatus(shown, 'refused');
    expect(wantedFor(refused, { kind: 'root' })).not.toBe(wanted);
    expect(refused.activity).toEqual({ seen: 1, refreshAt: null });
    expect(recordStep(refused, EVENT, START + 1).activity.refreshAt).toBe(START + 1 + ACTIVITY_WINDOW_MS);
  });
});

describe('completed tasks', () => {
  it('get replies up to a limit and are counted beyond it', () => {
    let each = started;
    for (let i = 0; i < MOST_TASK_REPLIES + 5; i++) each = recordTask(each, task(`task ${i}`), START);
    expect([each.tasks.length, tasksDone(each)]).toEqual([MOST_TASK_REPLIES, MOST_TASK_REPLIES + 5]);
  });

  it('are never more than there are', () => {
    const counted = recordTask(recordStatus(started, { ...RUNNING, completed: 5 }, START), task('Collect'), START);
    expect(rootModel(counted).progress).toMatchObject({ completed: 5, total: 5 });
  });

  it('are not done while a person is asked about them, nor once they are sent back', () => {
    const drafted = { ...task('Draft'), output: output('draft 1') };
    const told = recordTask(recordTask(started, task('Collect'), START), drafted, START);
    const shown = (request: HumanRequest) => rootModel({ ...told, requests: [request] }).progress.completed;
    const answered = { status: 'posted', ts: '1.1', shown: 'once', tries: 0, notBefore: START } as const;
    const replied = changed(told, { tasks: told.tasks.map((each) => ({ ...each, post: answered })) });
    // A request for it may still be on its way until its reply is there.
    expect([told, replied].map((each) => rootModel(each).progress.completed)).toEqual([1, 2]);
    expect(shown(pending({ output: drafted.output }))).toBe(1);
    expect(shown(delivered({ output: drafted.output, decision: rejection() }))).toBe(1);
    expect(shown(delivered({ output: drafted.output }))).toBe(2);
  });

  it('count beside the approved text that they pass on, whether that was told as a completion or not', () => {
    const requests = [delivered({ output: output('text') })];
    const passedOn = recordTask(execution({ requests }), { ...task('Publish'), hop: 1, output: output('text') }, START);
    const posted = passedOn.tasks.map((each) => ({ ...each, post: { status: 'gone', ts: '1.1' } as const }));
    const replied = changed(passedOn, { tasks: posted });
    expect(tasksDone(replied)).toBe(2);
    const draft = { ...task('Draft'), output: output('text') };
    expect(tasksDone(recordTask(replied, draft, START))).toBe(2);
  });

  it('are never more than all but those under review, whatever the service counts', () => {
    const counted = (before: Execution) =>
      rootModel(recordStatus(before, { ...RUNNING, completed: 3, total: 3 }, START)).progress;
    expect(counted(started)).toMatchObject({ completed: 3 });
    expect(counted({ ...started, requests: [pending()] })).toMatchObject({ completed: 0, total: 3 });
    const polledBefore = { ...started, progress: { completed: 3, total: 3, current: null }, requests: [pending()] };
    expect(tasksDone(polledBefore)).toBe(2);
    expect(tasksDone({ ...polledBefore, requests: [delivered({ decision: rejection() })] })).toBe(2);
    expect(tasksDone({ ...polledBefore, requests: [delivered()] })).toBe(3);
  });

  it('with the same name after another resume are another completion', () => {
    const twice = recordTask(recordTask(started, task('Draft'), START), { ...task('Draft'), hop: 1 }, START);
    expect(twice.tasks.map(({ id }) => id)).toEqual(['1', '2']);
  });
});

describe('the end of a run', () => {
  it('closes every request, and keeps a decision that was never sent where everyone can see it', () => {
    const before = execution({ requests: [decided(), pending({ id: '2', taskId: 'title' })] });
    const ended = recordCompletion(before, { ...EVENT, result: output('result') }, START);
    expect(ended.run).toEqual({ status: 'completed', result: output('result'), endedAt: START });
    expect(ended.requests).toMatchObject([
      { state: { status: 'superseded', by: 'ended', decision: { by: MARIA } } },
      { state: { status: 'superseded', by: 'ended', decision: null } },
    ]);
  });

  it('is the first one that was told', () => {
    const ended = recordCompletion(execution(), { ...EVENT, result: null }, START);
    expect(endRun(ended, { status: 'failed', error: 'no ink', endedAt: START + 1 }, START + 1)).toBe(ended);
  });

  it('refuses a decision that comes after it', () => {
    const ended = recordCompletion(execution({ requests: [pending()] }), { ...EVENT, result: null }, START);
    const choice = { verdict: 'approve', feedback: null, text: 'Approved.' } as const;
    expect(decide(ended, '1', { choice, by: MARIA, ...PERMITTED }, START)).toEqual({
      ok: false,
      refusal: { kind: 'superseded', by: 'ended' },
    });
  });

  it('is taken of a run that is not followed, without a word in the thread', () => {
    const unfollowed = execution({ unfollowed: { by: MARIA, at: START }, requests: [delivered()] });
    const ended = recordCompletion(unfollowed, { ...EVENT, result: null }, START);
    expect([ended.run.status, postOf(ended, ENDING)]).toEqual(['completed', null]);
  });
});
