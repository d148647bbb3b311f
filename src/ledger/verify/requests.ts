import type { LedgerEvent, LedgerFacts, VoteFacts } from '../../core/ledger/event.ts';
import type { Millis } from '../../core/time.ts';

interface HandedTo {
  to: string;
  by: string;
  /** From then on it doesn't count; infinite if it counts for good. */
  until: Millis;
}

/** A request as the entries of its run have told of it so far. */
export interface Request {
  asked: LedgerFacts['asked'];
  askedAt: Millis;
  /** Those who have approved, and not withdrawn it since. */
  votes: VoteFacts[];
  handedTo: HandedTo[];
  isEscalated: boolean;
  status: 'open' | 'decided' | 'sent';
  /** Until then the decision could be undone, and from then on sent. */
  undoUntil: Millis;
}

export function openRequest({ facts, at }: Extract<LedgerEvent, { kind: 'asked' }>): Request {
  return { asked: facts, askedAt: at, votes: [], handedTo: [], isEscalated: false, status: 'open', undoUntil: at };
}
