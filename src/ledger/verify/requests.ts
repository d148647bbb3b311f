import type { LedgerFacts, VoteFacts } from '../../core/ledger/event.ts';

/** A request as the entries of its run have told of it so far. */
export interface Request {
  asked: LedgerFacts['asked'];
  /** Those who have approved, and not withdrawn it since. */
  votes: VoteFacts[];
  handedTo: string[];
  isEscalated: boolean;
  status: 'open' | 'decided' | 'sent';
}

export function openRequest(asked: LedgerFacts['asked']): Request {
  return { asked, votes: [], handedTo: [], isEscalated: false, status: 'open' };
}
