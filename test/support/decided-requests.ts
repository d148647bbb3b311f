import type { DecidedRequest } from '../../src/core/history.ts';
import { MARIA, START } from './approvals.ts';

/** Maria has approved the first draft, a minute after it was there. */
export function decidedRequest(change: Partial<DecidedRequest> = {}): DecidedRequest {
  return {
    ...{ ref: 'ref1', approvalId: '1', crew: 'editorial', task: 'Draft', round: 1 },
    ...{ outcome: 'approve', by: [MARIA.id], askedAt: START, decidedAt: START + 60_000 },
    ...change,
  };
}
