import fc from 'fast-check';
import { expect, it } from 'vitest';
import { dueAt } from '../../src/core/due-actions.ts';
import { recordCompletion, recordTask } from '../../src/core/execution/run.ts';
import { claimKickoff, settleKickoff } from '../../src/core/execution/start.ts';
import { recordStatus, stopFollowing } from '../../src/core/execution/tracking.ts';
import { decidedIn, endedRunOf } from '../../src/core/inbox/history.ts';
import { claimMessage, refusedMessages, retryRefused, settleMessage } from '../../src/core/messages/delivery.ts';
import { ask } from '../../src/core/request/ask.ts';
import { decide } from '../../src/core/request/decide.ts';
import { claimResume, settleResume } from '../../src/core/request/resume.ts';
import { type Execution, hasEnded, leftWaiting, moveChannel, type Transition } from '../../src/core/state/execution.ts';
import { type Message, postOf } from '../../src/core/state/message.ts';
import { ok } from '../../src/core/values/result.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import {
  openKey,
  pendingKey,
  recordKeys,
  refusedKey,
  runNamesKey,
  runsKey,
  shardOf,
  unansweredKey,
  undeliveredKey,
} from '../../src/redis/keys.ts';
import { writeRunNames } from '../../src/redis/run-names.ts';
import { PROCESS } from '../support/claims.ts';
import { request } from '../support/executions.ts';
import { MARIA, permittedTo, RULES, textOf } from '../support/requests.ts';
import { runs } from '../support/sample.ts';
import { decidedRequests, endedRuns, redisForTests, started } from './store-under-test.ts';

const { redis } = redisForTests();

const step = (change: (execution: Execution, now: number) => Execution): Transition<unknown> => {
  return (execution, now) => ok(change(execution, now));
};

/** Everything that can happen to an execution, in any order. */
const EVENTS: Record<string, Transition<unknown>> = {
  'the kickoff is claimed': step((each, now) => claimKickoff(each, PROCESS, now)),
  'the kickoff is accepted': step((each, now) => settleKickoff(each, { kind: 'accepted', kickoffId: 'k1' }, now)),
  'the kickoff is refused': step((each, now) => {
    const refusal = { code: 'quota' as const, detail: '', missing: [] };
    return settleKickoff(each, { kind: 'refused', refusal }, now);
  }),
  'the kickoff is in doubt': step((each, now) => settleKickoff(each, { kind: 'unknown', doubt: 'no-id' }, now)),
  'a task asks': (each, now) =>
    ask(each, request({ executionId: 'k1', output: { hash: `${each.requests.length}`, length: 1 } }), now, RULES),
  'a person decides': (each, now) =>
    decide(
      each,
      `${each.requests.length}`,
      {
        choice: { verdict: 'approve', feedback: null, text: 'Yes' },
        ...permittedTo(MARIA),
        ...textOf(each, `${each.requests.length}`),
      },
      now,
    ),
  'a resume is claimed': step((each, now) => claimResume(each, `${each.requests.length}`, PROCESS, now)),
  'a resume is answered': step((each, now) =>
    settleResume(each, { approvalId: `${each.requests.length}`, attempt: 1, answer: { kind: 'unknown' } }, now),
  ),
  'a resume is accepted': step((each, now) =>
    settleResume(
      each,
      { approvalId: `${each.requests.length}`, attempt: 1, answer: { kind: 'accepted', kickoffId: 'k2' } },
      now,
    ),
  ),
  'a resume is refused': step((each, now) => {
    const failure = { kind: 'refused' as const, code: 'quota' as const, status: 402, detail: '' };
    return settleResume(
      each,
      { approvalId: `${each.requests.length}`, attempt: 1, answer: { kind: 'refused', failure } },
      now,
    );
  }),
  'a task completes': step((each, now) =>
    recordTask(each, { hop: 0, kickoffId: 'k1', name: 'a', agent: null, summary: '', output: null }, now),
  ),
  'the root is posted': step((each, now) => {
    const outcome = { kind: 'posted' as const, ts: '1.1', shown: 'x' };
    return settleMessage(
      claimMessage(each, { kind: 'root' }, PROCESS, now),
      { message: { kind: 'root' }, attempt: 1, outcome },
      now,
    );
  }),
  ...messageEvents('the root', () => ({ kind: 'root' })),
  ...messageEvents('a card', ({ requests }) => ({ kind: 'card', approvalId: `${requests.length}` })),
  ...messageEvents('a reply', ({ tasks }) => ({ kind: 'task', taskId: tasks.at(-1)?.id ?? '' })),
  'Slack may take it again': step(retryRefused),
  'the channel gets another id': step((each) =>
    moveChannel(each, { from: each.channel, to: each.channel === 'C1' ? 'C2' : 'C1' }),
  ),
  'it is lost': step((each, now) => ({
    ...each,
    poll: { ...each.poll, nextAt: null },
    run: { status: 'lost', lostAt: now },
  })),
  'it fails': step((each, now) => recordStatus(each, { kind: 'failed', error: 'x' }, now)),
  'it completes': step((each, now) => recordCompletion(each, { hop: 0, kickoffId: 'k1', result: null }, now)),
  'a person stops following it': (each, now) => stopFollowing(each, permittedTo(MARIA), now),
};

/** What Slack may answer to the post or update of a message that it is due for. */
function messageEvents(
  name: string,
  messageIn: (execution: Execution) => Message,
): Record<string, Transition<unknown>> {
  const answered = (kind: 'refused' | 'unknown' | 'gone') =>
    step((each, now) => {
      const message = messageIn(each);
      const claimed = claimMessage(each, message, PROCESS, now);
      const post = postOf(claimed, message);
      const attempt = post?.status === 'posting' ? post.attempt : 0;
      return settleMessage(claimed, { message, attempt, outcome: { kind } }, now);
    });
  return {
    [`${name} is refused`]: answered('refused'),
    [`${name} is in doubt`]: answered('unknown'),
    [`${name} is gone`]: answered('gone'),
  };
}

it('due time, indexes and lifetime always match the stored state', async () => {
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(EVENTS)), { maxLength: 12 }), async (events) => {
      number += 1;
      const ref = `r${number}`;
      const store = createExecutionStore(redis(), { retentionDays: 30, auditDays: 400, replication: null });
      await store.create(ref, (now) => started(ref, now));
      for (const event of events) {
        const happens = EVENTS[event];
        if (happens) await store.change(ref, happens);
        const found = await store.load(ref);
        if (found) await expectConsistent(found.execution);
      }
    }),
    runs({ some: 50, all: 500 }),
  );
});

async function expectConsistent(execution: Execution) {
  const { ref, run, unfollowed } = execution;
  const { record, due } = recordKeys(ref);
  const [dueTime, open, unanswered, lifetime] = await Promise.all([
    redis().zscore(due, ref),
    redis().zscore(openKey(shardOf(ref), execution.channel), ref),
    redis().zscore(unansweredKey(shardOf(ref), 'research'), ref),
    redis().pttl(record),
  ]);
  const expectedDue = dueAt(execution);
  expect(dueTime).toBe(expectedDue === null ? null : String(expectedDue));
  const isOpen = ['starting', 'running', 'waiting', 'not-confirmed'].includes(run.status) && unfollowed === null;
  expect(open !== null).toBe(isOpen || leftWaiting(execution) !== null);
  const calls =
    (execution.kickoff.status === 'settled' ? 0 : 1) +
    execution.requests.filter(({ state: { status } }) => status === 'sending').length;
  expect(Number(unanswered ?? 0)).toBe(calls);
  // What becomes due in one that expires already doesn't keep it.
  const isQuiet = expectedDue === null || execution.expiry !== null;
  const mayGo = hasEnded(execution) || (isQuiet && (run.status === 'not-confirmed' || !isOpen));
  expect(lifetime > 0).toBe(mayGo && calls === 0);
  expect(execution.expiry !== null).toBe(lifetime > 0);
  await expectCounted(execution, { mayExpire: lifetime > 0 });
  await expectRefused(execution);
  await expectNamed(execution);
  await expectRemembered(execution);
}

async function expectRemembered(execution: Execution) {
  const [decided, ended] = await Promise.all([decidedRequests(redis()), endedRuns(redis())]);
  const own = ({ ref }: { ref: string }) => ref === execution.ref;
  expect(decided.filter(own)).toEqual(decidedIn(execution).sort((one, other) => one.decidedAt - other.decidedAt));
  expect(ended.find(own) ?? null).toEqual(endedRunOf(execution));
}

/** A change computes this index only where it touched a post. */
async function expectRefused(execution: Execution) {
  const members = await redis().zrange(refusedKey(shardOf(execution.ref)), 0, '-1');
  const isOwn = (member: string) => member.endsWith(` ${execution.ref}`);
  const expected = refusedMessages(execution).length > 0 ? [`${execution.channel} ${execution.ref}`] : [];
  expect(members.filter(isOwn)).toEqual(expected);
}

/** The same holds for the names by which a run is found. */
async function expectNamed(execution: Execution) {
  const members = await redis().zrange(runNamesKey(shardOf(execution.ref)), 0, '-1');
  const isOwn = (member: string) => member.includes(JSON.stringify(execution.ref));
  const name = writeRunNames(execution);
  expect(members.filter(isOwn)).toEqual(name === null ? [] : [name]);
}

/** What may expire is in no count, since an expired record couldn't leave an index. */
async function expectCounted({ ref, run, requests }: Execution, { mayExpire }: { mayExpire: boolean }) {
  const shard = shardOf(ref);
  const place = ['starting', 'running', 'waiting'].indexOf(run.status);
  expect(await redis().zscore(runsKey(shard), ref)).toBe(mayExpire || place === -1 ? null : String(place));
  for (const {
    id,
    question: { askedAt },
    state: { status },
  } of requests) {
    const waits = await redis().zscore(pendingKey(shard), `${ref}:${id}`);
    expect(waits).toBe(status === 'pending' && !mayExpire ? String(askedAt) : null);
    const failed = await redis().zscore(undeliveredKey(shard), `${ref}:${id}`);
    expect(failed !== null).toBe(status === 'failed' && !mayExpire);
  }
}
