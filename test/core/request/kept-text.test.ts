import { describe, expect, it } from 'vitest';
import { dueActionKey, dueActionsAt } from '../../../src/core/due-actions.ts';
import { recordEvidence } from '../../../src/core/execution/run.ts';
import { settleResume } from '../../../src/core/request/resume.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { duePost } from '../../../src/core/state/post.ts';
import { execution } from '../../support/executions.ts';
import { delivered, JON, output, posted, rejection, START, sending } from '../../support/requests.ts';

const files = (each: Execution) =>
  dueActionsAt(each, START)
    .map(dueActionKey)
    .filter((key) => key.includes('file'));
const waiting = (change: Parameters<typeof sending>[0] = {}) =>
  execution({ requests: [sending({ keepsText: true, ...change })] });
const accepted = (each: Execution) => {
  const answer = { kind: 'accepted', kickoffId: null } as const;
  return settleResume(each, { approvalId: '1', attempt: 1, answer }, START);
};
const proven = (each: Execution) => recordEvidence(each, { hop: 1, kickoffId: null }, START);

describe('an approved text that is to be kept', () => {
  it.each([
    ['the crew has accepted it', accepted],
    ['an event has proved that it has arrived', proven],
  ])('is attached once %s', (_, deliver) => {
    expect([files(waiting()), files(deliver(waiting()))]).toEqual([[], ['post file:1']]);
    expect(files(deliver(deliver(waiting())))).toEqual(['post file:1']);
  });

  it('is not attached where it was rejected, or approved texts aren’t kept', () => {
    expect(files(accepted(waiting({ decision: rejection() })))).toEqual([]);
    expect(files(accepted(waiting({ keepsText: false })))).toEqual([]);
  });

  it('is not attached again, whichever round it was attached for', () => {
    expect(files(accepted(waiting({ file: posted({ shown: 'once' }) })))).toEqual([]);
    const text = { output: output('the same'), keepsText: true };
    const earlier = delivered({ ...text, file: posted({ shown: 'once' }), decision: rejection() });
    const later = delivered({ ...text, id: '2', file: duePost(START) });
    expect(files(execution({ requests: [earlier, later] }))).toEqual([]);
    expect(files(execution({ requests: [{ ...earlier, file: { status: 'gone', ts: null } }, later] }))).toEqual([
      'post file:2',
    ]);
  });

  it('is attached although nobody tracks the run any more', () => {
    const unfollowed = { by: JON, at: START };
    expect(files({ ...accepted(waiting()), unfollowed })).toEqual(['post file:1']);
    expect(files({ ...waiting({ file: duePost(START) }), unfollowed })).toEqual([]);
  });
});
