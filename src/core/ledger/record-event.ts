import type { Execution } from '../execution/execution.ts';
import type { LedgerEvent } from './event.ts';

/** Puts an event into the ledger: its entry is written together with the execution, or not at all. */
export function recordEvent(execution: Execution, event: LedgerEvent): Execution {
  return { ...execution, ledgerEvents: [...execution.ledgerEvents, event] };
}
