import { describe, expect, it } from 'vitest';
import type { HumanInputRequest, StatusReading } from '../../../src/core/execution/events.ts';
import { recordTask } from '../../../src/core/execution/run.ts';
import { adoptExecution } from '../../../src/core/execution/start.ts';
import { recordStatus } from '../../../src/core/execution/tracking.ts';
import { ask, askRepeat, placeRequest } from '../../../src/core/request/ask.ts';
import { decide } from '../../../src/core/request/decide.ts';
import { nameTask } from '../../../src/core/request/name-task.ts';
import { claimResume, settleResume } from '../../../src/core/request/resume.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { HumanRequest } from '../../../src/core/state/request.ts';
import { PROCESS } from '../../support/claims.ts';
import { execution, request } from '../../support/executions.ts';
import {
  decided,
  delivered,
  MARIA,
  output,
  PERMITTED,
  pending,
  RULES,
  rejection,
  START,
  sending,
  unconfirmed,
} from '../../support/requests.ts';
import { valueFrom } from '../../support/value-from.ts';

const NOW = START + 1_000;

const DUPLICATE = (of: HumanRequest) => ({ kind: 'duplicate', of });
const ROUND = (round: number, repeatsRound: number | null = null) => ({ kind: 'new-round', round, repeatsRound });

const UNPROVEN = (round: number, repeatsRound: number) => ({ kind: 'unproven', round, repeatsRound });

/** Hands in requests one after the other, and answers which of them opened a round. */
function hear(before: Execution, ...requests: HumanInputRequest[]): Execution {
  return requests.reduce((each, next) => {
    const result = ask(each, next, NOW, RULES);
    return result.ok ? result.value : each;
  }, before);
}

/** Rejects the newest request, and the service takes it under this kickoff id. */
function reject(before: Execution, kickoffId: string | null): Execution {
  const last = before.requests.at(-1);
  if (!last) throw new Error('there is no request');
  const rejected = { ...last, state: decided({ decision: rejection() }).state };
  const requests = before.requests.map((each) => (each === last ? rejected : each));
  const claimed = claimResume({ ...before, requests }, last.id, PROCESS, NOW);
  return settleResume(claimed, { approvalId: last.id, attempt: 1, answer: { kind: 'accepted', kickoffId } }, NOW);
}

const roundsOf = ({ requests }: Execution) => requests.map(({ question: { taskId, round } }) => `${taskId} ${round}`);

describe('a service with one kickoff id whose kickoff address serves the whole run', () => {
  const first = request();
  const asked = hear(execution(), first);
  const rejected = reject(asked, null);

  it('opens the first round of a task', () => {
    expect(placeRequest(execution(), first)).toEqual(ROUND(1));
  });

  it('takes the text of an undecided round for a repeated notice', () => {
    expect(roundsOf(hear(asked, first))).toEqual(['draft 1']);
  });

  it('takes the text of a round whose decision is not sent yet for a repeated notice', () => {
    for (const approval of [decided(), decided({ decision: rejection() })])
      expect(placeRequest(execution({ requests: [approval] }), first)).toEqual(DUPLICATE(approval));
  });

  it.each([
    ['an accepted approval', delivered()],
    ['an approval that is on its way', sending()],
    ['a rejection that is on its way', sending({ decision: rejection() })],
    ['a rejection that is not confirmed', unconfirmed({ decision: rejection() })],
  ])('can’t tell a repeated notice from a new request after %s', (_, approval) => {
    expect(placeRequest(execution({ requests: [approval] }), first)).toEqual(UNPROVEN(2, 1));
  });

  it('takes it for a repeated notice if the run has asked at newer addresses since', () => {
    const approved = delivered();
    const newer = pending({ id: '2', taskId: 'title', hop: 1 });
    expect(placeRequest(execution({ requests: [approved, newer] }), first)).toEqual(DUPLICATE(approved));
  });

  it('opens a round for another text, whatever became of the last decision', () => {
    const second = request({ output: output('second draft') });
    for (const approval of [pending(), decided(), sending(), unconfirmed(), delivered()])
      expect(placeRequest(execution({ requests: [approval] }), second)).toEqual(ROUND(2));
  });

  it('opens a round that says so for the same text after its rejection was accepted', () => {
    expect(placeRequest(rejected, first)).toEqual(ROUND(2, 1));
    expect(hear(rejected, first).requests.at(-1)).toMatchObject({
      question: { repeatsRound: 1 },
      state: { status: 'pending' },
    });
  });

  it('takes the text of an earlier round for a late alert while a later one is open', () => {
    const later = hear(rejected, request({ output: output('second draft') }));
    expect(roundsOf(later)).toEqual(['draft 1', 'draft 2']);
    expect(roundsOf(hear(later, first, first))).toEqual(['draft 1', 'draft 2']);
  });

  it('opens a round that says which it repeats when the crew comes back to an earlier text', () => {
    const later = reject(hear(rejected, request({ output: output('second draft') })), null);
    expect(placeRequest(later, first)).toEqual(ROUND(3, 1));
  });

  it('tells the rounds of parallel tasks apart', () => {
    const other = request({ taskId: 'title', output: output('first draft') });
    const both = hear(asked, other, first, other);
    expect(roundsOf(both)).toEqual(['draft 1', 'title 1']);
    expect(roundsOf(hear(both, request({ output: output('second draft') })))).toEqual([
      'draft 1',
      'title 1',
      'draft 2',
    ]);
  });

  it('lets a parallel request stay open when another task comes back', () => {
    const both = hear(asked, request({ taskId: 'title' }), request({ output: output('second draft') }));
    expect(both.requests.map(({ state: { status } }) => status)).toEqual(['superseded', 'pending', 'pending']);
  });
});

describe('a service that gives each resume a new kickoff id and uses its addresses', () => {
  const first = request();
  const rejected = reject(hear(execution(), first), 'k2');
  const second = request({ kickoffId: 'k2', hop: 1 });

  it('opens the next round for a new kickoff id, even with the same text, and without a doubt', () => {
    expect(placeRequest(rejected, second)).toEqual(ROUND(2));
  });

  it('opens the next round when its alert overtakes the answer of the resume', () => {
    const sent = execution({ requests: [sending({ decision: rejection() })] });
    const heard = hear(sent, second);
    expect(heard.requests.map(({ state: { status } }) => status)).toEqual(['delivered', 'pending']);
    expect(heard.kickoffIds).toEqual(['k1', 'k2']);
  });

  it('takes an older kickoff id for a late alert, before and after the next round was asked', () => {
    expect(placeRequest(rejected, first)).toMatchObject({ kind: 'duplicate' });
    expect(roundsOf(hear(rejected, second, first, second, first))).toEqual(['draft 1', 'draft 2']);
  });

  it('takes an older kickoff id for a late alert although its text is none that we know', () => {
    expect(placeRequest(rejected, request({ output: output('lost draft') }))).toMatchObject({ kind: 'duplicate' });
  });

  it('takes an older hop for a late alert where the kickoff id is missing', () => {
    const later = hear(rejected, { ...second, kickoffId: null });
    expect(roundsOf(later)).toEqual(['draft 1', 'draft 2']);
    expect(roundsOf(hear(later, request({ kickoffId: null })))).toEqual(['draft 1', 'draft 2']);
  });

  it('opens the next round for a newer hop where the kickoff id stays as it was', () => {
    const renamed = reject(hear(execution(), first), 'k2');
    expect(placeRequest(renamed, request({ hop: 1, output: output('second draft') }))).toEqual(ROUND(2));
    expect(placeRequest(renamed, request({ hop: 1 }))).toEqual(ROUND(2));
  });

  it('opens a round of the one task and keeps that of the other when two tasks ask at once', () => {
    const both = reject(hear(execution(), request({ taskId: 'title' }), first), 'k2');
    expect(roundsOf(hear(both, second, request({ taskId: 'title' }), second))).toEqual([
      'title 1',
      'draft 1',
      'draft 2',
    ]);
  });
});

describe('a run that was started elsewhere', () => {
  const adopted = adoptExecution({ ref: 'ref1', crew: 'editorial', channel: 'C1', held: 'free' }, START);

  it('learns its ids from its first request', () => {
    expect(hear(adopted, request())).toMatchObject({
      kickoffIds: ['k1'],
      executionId: 'e1',
      run: { status: 'waiting' },
    });
  });

  it('opens the next round for a new kickoff id at the crew-level address', () => {
    const rejected = reject(hear(adopted, request()), null);
    expect(placeRequest(rejected, request({ kickoffId: 'k2' }))).toEqual(ROUND(2));
    expect(roundsOf(hear(rejected, request({ kickoffId: 'k2' }), request()))).toEqual(['draft 1', 'draft 2']);
  });
});

describe('the same text after an approval that the crew has accepted', () => {
  const WAITING = { kind: 'waiting', completed: null, total: null, current: null } as const;
  const RUNNING = { ...WAITING, kind: 'running' } as const;
  const NOT_FOUND = { kind: 'not-found' } as const;
  const UNREACHABLE = { kind: 'unreachable' } as const;
  const approved = execution({ requests: [delivered({ deliveredAt: START })] });
  const kept = hear(approved, request());

  /** What polls find that begin so many seconds after the request came, and end at once. */
  function find(before: Execution, ...found: [seconds: number, reading: StatusReading][]): Execution {
    return found.reduce((each, [seconds, reading]) => {
      const polled = recordStatus(each, reading, NOW + seconds * 1_000);
      return askRepeat(polled, RULES, NOW + seconds * 1_000);
    }, before);
  }
  const asked = ({ requests }: Execution) =>
    requests
      .slice(1)
      .map(({ question: { repeatsRound, isConfirmedRepeat }, state: { status } }) => [
        status,
        repeatsRound,
        isConfirmedRepeat,
      ]);
  const CONFIRMED = [['pending', 1, true]];
  const DOUBTFUL = [['pending', 1, false]];

  it('is kept once, asks nobody yet, and has the status asked for soon', () => {
    expect([asked(kept), kept.possibleRepeats.length, kept.poll.nextAt]).toEqual([[], 1, NOW + 2_000]);
    expect(hear(kept, request()).possibleRepeats).toHaveLength(1);
  });

  it.each<[string, [number, StatusReading][], unknown]>([
    [
      'once two polls say that the crew waits',
      [
        [2, WAITING],
        [5, WAITING],
      ],
      CONFIRMED,
    ],
    ['not after one of them', [[2, WAITING]], []],
    [
      'not where the crew works in between',
      [
        [2, WAITING],
        [5, RUNNING],
        [9, WAITING],
      ],
      [],
    ],
    [
      'after half a minute in which the status can’t tell',
      [
        [2, NOT_FOUND],
        [20, NOT_FOUND],
        [30, NOT_FOUND],
      ],
      DOUBTFUL,
    ],
    [
      'also where it can’t be read',
      [
        [2, UNREACHABLE],
        [31, UNREACHABLE],
      ],
      DOUBTFUL,
    ],
    [
      'not before',
      [
        [2, NOT_FOUND],
        [29, NOT_FOUND],
      ],
      [],
    ],
    [
      'not by one answer that can’t tell',
      [
        [20, RUNNING],
        [31, NOT_FOUND],
      ],
      [],
    ],
    [
      'not as long as the crew works',
      [
        [2, RUNNING],
        [31, RUNNING],
        [120, RUNNING],
      ],
      [],
    ],
    ['not once the run has ended', [[2, { kind: 'completed', result: null }]], []],
  ])('is asked %s', (_, found, expected) => {
    expect(asked(find(kept, ...found))).toEqual(expected);
  });

  it('counts no poll that began before the crew had the approval, or before the request came', () => {
    const early = recordStatus(kept, WAITING, NOW + 1_000, NOW - 1);
    expect(asked(find(early, [2, WAITING]))).toEqual([]);
    expect(asked(find(early, [2, WAITING], [5, WAITING]))).toEqual(CONFIRMED);
  });

  it('waits while another request explains that the crew waits', () => {
    const both = { ...kept, requests: [...kept.requests, sending({ id: '2', taskId: 'title' })] };
    const polled = find(both, [2, WAITING], [5, WAITING], [31, NOT_FOUND], [60, NOT_FOUND]);
    expect([polled.requests.length, polled.possibleRepeats.length]).toEqual([2, 1]);
  });

  it('is forgotten once a decline has closed the run', () => {
    const both = { ...kept, requests: [...kept.requests, pending({ id: '2', taskId: 'title' })] };
    const no = { verdict: 'decline', feedback: 'wrong product' } as const;
    const after = valueFrom(decide(both, '2', { choice: no, by: MARIA, ...PERMITTED }, NOW));
    expect(after.possibleRepeats).toEqual([]);
  });

  it('is forgotten once the run asks at newer addresses, and is asked at once where no status can be asked for', () => {
    const later = hear(kept, request({ taskId: 'title', hop: 1, kickoffId: 'k2' }));
    expect(later.possibleRepeats).toEqual([]);
    const unknown = { ...approved, kickoffIds: [], executionId: null };
    expect(asked(hear(unknown, request({ kickoffId: null })))).toEqual(DOUBTFUL);
  });

  it('is asked when it overtakes the answer to the approval, too', () => {
    const sent = hear(execution({ requests: [sending()] }), request());
    const answer = { kind: 'accepted', kickoffId: null } as const;
    const accepted = settleResume(sent, { approvalId: '1', attempt: 1, answer }, NOW);
    expect(asked(find(accepted, [2, WAITING], [5, WAITING]))).toEqual(CONFIRMED);
  });
});

describe('the name of the task that asks', () => {
  const nameless = request({ taskName: null });
  const told = (before: Execution, taskId: string | null, name: string) =>
    nameTask(before, { taskId, name }, RULES, NOW);
  const names = ({ requests }: Execution) => requests.map(({ question: { taskName } }) => taskName);

  it('is that which the crew gives the task of this id, before or after', () => {
    expect(names(hear(told(execution(), nameless.taskId, 'Draft'), nameless))).toEqual(['Draft']);
    expect(names(told(hear(execution(), nameless), nameless.taskId, 'Draft'))).toEqual(['Draft']);
  });

  it('is not that of another task with the same result', () => {
    const completed = { hop: 0, kickoffId: 'k1', name: 'Draft', agent: null, summary: '', output: nameless.output };
    const passedOn = recordTask(execution(), completed, NOW);
    for (const taskId of [null, 'another'])
      expect(names(hear(told(passedOn, taskId, 'Draft'), nameless))).toEqual([null]);
  });

  it('stays the same over the rounds of a task, whatever is told later', () => {
    const rejected = reject(hear(told(execution(), nameless.taskId, 'Draft'), nameless), null);
    const renamed = { ...request({ taskName: 'Publish' }), output: output('second draft') };
    expect(names(hear(told(rejected, nameless.taskId, 'Publish'), renamed))).toEqual(['Draft', 'Draft']);
  });

  it('is forgotten only if very many tasks have been named since', () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, i) => `t${i}`).reduce(
        (each, id) => told(each, id, id),
        told(execution(), nameless.taskId, 'Draft'),
      );
    expect(names(hear(named(199), nameless))).toEqual(['Draft']);
    expect(names(hear(named(5_000), nameless))).toEqual([null]);
  });
});
