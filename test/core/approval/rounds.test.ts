import { describe, expect, it } from 'vitest';
import { nameTask } from '../../../src/core/approval/name-task.ts';
import { ask, placeRequest } from '../../../src/core/approval/request.ts';
import { claimResume, settleResume } from '../../../src/core/approval/resume.ts';
import type { HumanInputRequest } from '../../../src/core/execution/events.ts';
import { recordTask } from '../../../src/core/execution/run.ts';
import { adoptExecution } from '../../../src/core/execution/start.ts';
import type { Approval } from '../../../src/core/state/approval.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import {
  decided,
  delivered,
  output,
  pending,
  RULES,
  rejection,
  START,
  sending,
  unconfirmed,
} from '../../support/approvals.ts';
import { PROCESS } from '../../support/claims.ts';
import { execution, request } from '../../support/executions.ts';

const NOW = START + 1_000;

const DUPLICATE = (of: Approval) => ({ kind: 'duplicate', of });
const ROUND = (round: number, repeatsRound: number | null = null) => ({ kind: 'new-round', round, repeatsRound });

/** Hands in requests one after the other, and answers which of them opened a round. */
function hear(before: Execution, ...requests: HumanInputRequest[]): Execution {
  return requests.reduce((each, next) => {
    const result = ask(each, next, NOW, RULES);
    return result.ok ? result.value : each;
  }, before);
}

/** Rejects the newest request, and the service takes it under this kickoff id. */
function reject(before: Execution, kickoffId: string | null): Execution {
  const last = before.approvals.at(-1);
  if (!last) throw new Error('there is no request');
  const rejected = decided({ ...last, status: 'decided', decision: rejection() });
  const approvals = before.approvals.map((each) => (each === last ? rejected : each));
  const claimed = claimResume({ ...before, approvals }, last.id, PROCESS, NOW);
  return settleResume(claimed, { approvalId: last.id, attempt: 1, answer: { kind: 'accepted', kickoffId } }, NOW);
}

const roundsOf = ({ approvals }: Execution) => approvals.map(({ taskId, round }) => `${taskId} ${round}`);

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

  it.each([
    ['not sent yet', decided({ decision: rejection() })],
    ['on its way', sending({ decision: rejection() })],
    ['unconfirmed', unconfirmed({ decision: rejection() })],
  ])('takes the text of a round whose rejection is %s for a repeated notice', (_, approval) => {
    expect(placeRequest(execution({ approvals: [approval] }), first)).toEqual(DUPLICATE(approval));
  });

  it('takes the text of an approved round for a late alert', () => {
    const approved = delivered();
    expect(placeRequest(execution({ approvals: [approved] }), first)).toEqual(DUPLICATE(approved));
  });

  it('opens a round for another text, whatever became of the last decision', () => {
    const second = request({ output: output('second draft') });
    for (const approval of [pending(), decided(), sending(), unconfirmed(), delivered()])
      expect(placeRequest(execution({ approvals: [approval] }), second)).toEqual(ROUND(2));
  });

  it('opens a round that says so for the same text after its rejection was accepted', () => {
    expect(placeRequest(rejected, first)).toEqual(ROUND(2, 1));
    expect(hear(rejected, first).approvals.at(-1)).toMatchObject({ status: 'pending', repeatsRound: 1 });
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
    expect(both.approvals.map(({ status }) => status)).toEqual(['superseded', 'pending', 'pending']);
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
    const sent = execution({ approvals: [sending({ decision: rejection() })] });
    const heard = hear(sent, second);
    expect(heard.approvals.map(({ status }) => status)).toEqual(['delivered', 'pending']);
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

describe('the name of the task that asks', () => {
  const nameless = request({ taskName: null });
  const told = (before: Execution, taskId: string | null, name: string) =>
    nameTask(before, { taskId, name }, RULES, NOW);
  const names = ({ approvals }: Execution) => approvals.map(({ taskName }) => taskName);

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
