import { describe, expect, it } from 'vitest';
import { dueActionKey, dueActionsAt } from '../../../src/core/due-actions.ts';
import { showExpiry, withExpiry } from '../../../src/core/execution/expiry.ts';
import { wantedFor } from '../../../src/core/messages/due-messages.ts';
import { cardModel } from '../../../src/core/messages/view-models.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import { changed, type ExecutionChange, execution } from '../../support/executions.ts';
import { delivered, posted, START } from '../../support/requests.ts';

const CARD = { kind: 'card', approvalId: '1' } as const;
const END = START + 30 * 24 * 60 * 60_000;
const SOON = END - 60 * 60_000;

function ended(change: ExecutionChange = {}): Execution {
  const each = execution({
    run: { status: 'completed', result: null, endedAt: START },
    requests: [delivered()],
    ...change,
  });
  const card = posted({ shown: wantedFor(each, CARD) });
  const quiet = changed(each, {
    poll: { ...each.poll, nextAt: null },
    root: { status: 'gone', ts: '99.9' },
    requests: each.requests.map((request) => ({ ...request, card })),
  });
  return withExpiry(quiet, END);
}

const due = (each: Execution, now: number) => dueActionsAt(each, now).map(dueActionKey);

describe('a run whose record is about to expire', () => {
  it('has its cards updated one last time, an hour before', () => {
    expect([due(ended(), SOON - 1), due(ended(), SOON)]).toEqual([[], ['tell-expiry']]);
    expect(showExpiry(ended(), SOON - 1).expiry?.isTold).toBe(false);
    const told = showExpiry(ended(), SOON);
    expect(due(told, SOON)).toEqual(['update card:1']);
    expect(told.requests.map((request) => cardModel(told, request).textGoneAt)).toEqual([END]);
  });

  it('has nothing to update where there is no card', () => {
    expect(due(ended({ requests: [] }), END)).toEqual([]);
  });

  it('keeps its time, and has none once it goes on', () => {
    expect(withExpiry(ended(), END + 1).expiry).toEqual({ at: END, isTold: false });
    expect(withExpiry(ended(), null).expiry).toBeNull();
  });
});
