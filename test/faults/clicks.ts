/** What a person can do about a request, as the ledger names it. */
export type Action = 'approve' | 'reject' | 'withdraw' | 'undo';

/** What a person did about a card. */
export interface Click {
  /** The id of the person. */
  by: string;
  action: Action;
  cardTs: string;
  round: number;
  /**
   * `acknowledged`: Slack took it without an error, so the person has every reason to believe that it counts, or is told why it
   * doesn't. `failed`: it may count all the same. `asked`: it only opened a form, but may have been refused.
   */
  outcome: 'acknowledged' | 'failed' | 'asked';
}

export function isAcknowledged({ outcome }: Click): boolean {
  return outcome === 'acknowledged';
}
