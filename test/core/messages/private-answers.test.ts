import { describe, expect, it } from 'vitest';
import { dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import {
  type AnswerOutcome,
  answerTo,
  claimAnswer,
  keepAnswer,
  NO_STEP,
  settleAnswer,
} from '../../../src/core/messages/private-answers.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { execution } from '../../support/executions.ts';
import { JON, MARIA, START } from '../../support/requests.ts';

const quiet = execution({ root: { status: 'gone', ts: null }, poll: { ...execution().poll, nextAt: null } });
const answer = (text = 'Maria was faster.', to = JON.id) => ({
  to,
  channel: 'C1',
  threadTs: '99.9',
  text,
  next: NO_STEP,
});
const kept = keepAnswer(quiet, answer(), START);

/** Tries the answer whenever that is due until it is forgotten; returns the times of the tries. */
function triesOf(before: Execution, outcome: AnswerOutcome | 'the process dies', from = START): number[] {
  const tried: number[] = [];
  let each = before;
  for (let at = dueAt(each); at !== null; at = dueAt(each)) {
    const now = Math.max(at, from);
    each = claimAnswer(each, JON.id, now);
    const claimed = answerTo(each, JON.id);
    if (!claimed) break;
    tried.push(now - START);
    if (outcome !== 'the process dies') each = settleAnswer(each, claimed, outcome, now);
  }
  expect(each).toEqual(quiet);
  return tried;
}

describe('a private answer that Slack didn’t take', () => {
  it('is due a second later', () => {
    expect(dueActionsAt(kept, START + 1_000)).toEqual([{ kind: 'private-answer', to: JON.id }]);
    expect(dueAt(kept)).toBe(START + 1_000);
    expect(claimAnswer(kept, JON.id, START + 999)).toBe(kept);
    expect(claimAnswer(kept, MARIA.id, START + 1_000)).toBe(kept);
  });

  it('is forgotten once it is given, or known to be refused for good', () => {
    expect(triesOf(kept, 'told')).toEqual([1_000]);
    expect(triesOf(kept, 'never')).toEqual([1_000]);
  });

  it('is tried ever more seldom, for a minute', () => {
    expect(triesOf(kept, 'later')).toEqual([1_000, 3_000, 7_000, 15_000, 25_000, 35_000, 45_000, 55_000]);
  });

  it('is tried again by others where the process that tries it dies', () => {
    expect(triesOf(kept, 'the process dies')).toEqual([1_000, 13_000, 25_000, 37_000, 49_000]);
  });

  it('is forgotten untried where nobody could try it for a minute', () => {
    expect(triesOf(kept, 'told', START + 60_000)).toEqual([]);
  });

  it('gives way to the next one to the same person only', () => {
    const both = keepAnswer(kept, answer('You stopped it.', MARIA.id), START);
    const newer = keepAnswer(both, answer('The run has ended.'), START + 5_000);
    expect(newer.privateAnswers.map(({ text }) => text)).toEqual(['You stopped it.', 'The run has ended.']);
    const trying = answerTo(claimAnswer(both, JON.id, START + 1_000), JON.id);
    expect(trying && settleAnswer(newer, trying, 'told', START + 6_000)).toBe(newer);
  });
});
