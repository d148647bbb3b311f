import { describe, expect, it } from 'vitest';
import { nextPoll } from '../../../src/core/execution/poll-schedule.ts';
import { isWaitingUnseen } from '../../../src/core/execution/run.ts';
import { recordStatus } from '../../../src/core/execution/tracking.ts';
import { ask } from '../../../src/core/request/ask.ts';
import { checkResume, settleResume } from '../../../src/core/request/resume.ts';
import { type Execution, inputsOf } from '../../../src/core/state/execution.ts';
import type { Destination, HumanRequest } from '../../../src/core/state/request.ts';
import { execution, request } from '../../support/executions.ts';
import {
  attempt,
  decided,
  delivered,
  output,
  pending,
  RULES,
  refused,
  START,
  sending,
  unconfirmed,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const FLOW: Destination = { kind: 'flow', sealedUrl: 'sealed' };
const PROGRESS = { completed: null, total: null, current: null };
const AT_WORK = { kind: 'running', ...PROGRESS } as const;
const PAUSED = { kind: 'waiting', ...PROGRESS } as const;
const NOW = START + 60_000;

const asking = (request: HumanRequest): Execution => execution({ run: { status: 'waiting' }, requests: [request] });
const statusOf = ({ requests }: Execution) => requests.map(({ state: { status } }) => status);
const polled = (run: Execution, ...readings: (typeof AT_WORK | typeof PAUSED)[]) =>
  readings.reduce((each: Execution, reading) => recordStatus(each, reading, NOW), run);

describe('the method of a flow that asks', () => {
  const asks = (run: Execution, requestId: string, text = 'first draft') =>
    ask(run, request({ taskId: 'write', output: output(text), requestId, destination: FLOW }), NOW, RULES);
  const once = valueFrom(asks(execution(), 'r1'));

  it('again with another request id asks for a new round, even of the same text', () => {
    const twice = valueFrom(asks(once, 'r2'));
    expect(twice.requests).toMatchObject([
      { question: { requestId: 'r1' }, state: { status: 'superseded', by: 'newer-round' } },
      { question: { requestId: 'r2', round: 2, repeatsRound: null }, state: { status: 'pending' } },
    ]);
  });

  it('again with a request id of before repeats itself, whatever has become of that request, and whatever it says', () => {
    const twice = valueFrom(asks(once, 'r2'));
    for (const run of [once, twice])
      for (const text of ['first draft', 'another text'])
        expect(asks(run, 'r1', text)).toMatchObject({ refusal: 'duplicate' });
  });

  it('again proves an answer that nobody has confirmed', () => {
    const inDoubt = asking(unconfirmed({ taskId: 'write', requestId: 'r1', destination: FLOW }));
    const twice = valueFrom(asks(inDoubt, 'r2'));
    expect(twice.requests).toMatchObject([
      { state: { status: 'delivered', proof: 'evidence' } },
      { state: { status: 'pending' } },
    ]);
  });
});

describe('the status of a flow that waits for a person', () => {
  it('is asked for as often as if it worked, since only it tells of an answer given elsewhere', () => {
    const wait = (approval: HumanRequest) =>
      nextPoll({ ...asking(approval), poll: { ...POLL, count: 50 } }, NOW).nextAt ?? 0;
    expect(wait(pending({ destination: FLOW })) - NOW).toBeLessThanOrEqual(72_000);
    expect(wait(pending()) - NOW).toBeGreaterThanOrEqual(96_000);
  });

  it('shows that it was answered elsewhere once two in a row say that it doesn’t wait', () => {
    for (const approval of [pending(), decided(), refused()]) {
      const run = asking({ ...approval, question: { ...approval.question, destination: FLOW } });
      expect(statusOf(polled(run, AT_WORK))).toEqual([approval.state.status]);
      expect(statusOf(polled(run, AT_WORK, PAUSED, AT_WORK))).toEqual([approval.state.status]);
      const twice = polled(run, AT_WORK, AT_WORK);
      expect(twice).toMatchObject({
        run: { status: 'running' },
        requests: [{ state: { status: 'superseded', by: 'elsewhere' } }],
      });
    }
  });

  it('shows nothing about a request that is less than half a minute old: its flow may be about to wait', () => {
    const run = asking(pending({ destination: FLOW, askedAt: NOW - 29_999 }));
    const many = polled(run, AT_WORK, AT_WORK, AT_WORK);
    expect(statusOf(many)).toEqual(['pending']);
    expect(statusOf(recordStatus(many, AT_WORK, NOW + 1))).toEqual(['superseded']);
  });

  it('counts anew once it asks again', () => {
    const once = polled(asking(pending({ requestId: 'r1', destination: FLOW })), AT_WORK);
    const asked = ask(once, request({ taskId: 'other', requestId: 'r2', destination: FLOW }), NOW, RULES);
    expect(statusOf(polled(valueFrom(asked), AT_WORK))).toEqual(['pending', 'pending']);
  });

  it('proves an answer that may have arrived, once it doesn’t wait any more', () => {
    const inDoubt = [
      unconfirmed(),
      sending({ claim: null }),
      decided({ attempts: [attempt()] }),
      refused({ attempts: [attempt(), attempt({ number: 2, mayHaveArrived: false })] }),
    ];
    for (const approval of inDoubt) {
      const run = asking({ ...approval, question: { ...approval.question, destination: FLOW } });
      expect(polled(run, AT_WORK).requests).toMatchObject([{ state: { status: 'delivered', proof: 'evidence' } }]);
      expect(statusOf(polled(run, PAUSED, PAUSED, PAUSED))).toEqual([approval.state.status]);
    }
  });

  it('proves nothing about an answer that is on its way', () => {
    const run = asking(sending({ destination: FLOW }));
    expect(statusOf(polled(run, AT_WORK, AT_WORK, AT_WORK))).toEqual(['sending']);
  });

  it('proves nothing about requests that are answered by /resume', () => {
    for (const approval of [pending(), unconfirmed(), sending({ claim: null })])
      expect(statusOf(polled(asking(approval), AT_WORK, AT_WORK, AT_WORK))).toEqual([approval.state.status]);
  });

  it('says that it waits unseen if no request of it is open here', () => {
    const answered = asking(delivered({ destination: FLOW }));
    expect(isWaitingUnseen(polled(answered, PAUSED))).toBe(false);
    expect(isWaitingUnseen(polled(answered, PAUSED, PAUSED))).toBe(true);
    expect(isWaitingUnseen(polled(asking(pending({ destination: FLOW })), PAUSED, PAUSED))).toBe(false);
  });
});

const { poll: POLL } = execution();

describe('an answer to a flow that nobody confirms', () => {
  const sent = (destination: Destination | null) => {
    const run = asking(sending({ destination }));
    return { ...run, poll: { ...run.poll, nextAt: NOW + 60_000, count: 9 } };
  };

  it('has its status asked for at once, from the beginning', () => {
    const settled = (run: Execution) =>
      settleResume(run, { approvalId: '1', attempt: 1, answer: { kind: 'unknown' } }, NOW).poll;
    expect(settled(sent(FLOW))).toMatchObject({ nextAt: NOW + 2_000, count: 0 });
    expect(settled(sent(null))).toMatchObject({ nextAt: NOW + 60_000, count: 9 });
  });

  it('has that, too, if its sender has died', () => {
    const [request] = sent(FLOW).requests;
    const check = { now: START + 12_000, isGone: () => true };
    const checked = checkResume(sent(FLOW), request as HumanRequest, check);
    expect(checked.poll).toMatchObject({ nextAt: check.now + 2_000, count: 0 });
    const [unclaimed] = checked.requests;
    expect(checkResume(checked, unclaimed as HumanRequest, { ...check, now: check.now + 1 })).toBe(checked);
  });
});

it('what a request says itself wins over the inputs of its run', () => {
  const run = { inputs: { topic: 'tea', assigned_to_email: 'starter@sandbox.example' } };
  expect(inputsOf(run, { inputs: { assigned_to_email: null } })).toEqual({ topic: 'tea', assigned_to_email: null });
  expect(inputsOf(run, { inputs: null })).toBe(run.inputs);
});
