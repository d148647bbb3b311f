import type { Logger } from 'pino';
import type { Entry } from '../core/ledger/entry.ts';
import type { StoredCheckpoint } from '../redis/ledger/tree.ts';

/** Prints entries as log lines, at any log level: `{"entry":{…},"msg":"ledger entry"}`. */
export function logEntries(log: Logger, entries: readonly Entry[]): void {
  const audit = auditLog(log);
  for (const entry of entries) audit.info({ entry }, 'ledger entry');
}

/** Prints a checkpoint, likewise. */
export function logCheckpoint(log: Logger, checkpoint: StoredCheckpoint): void {
  auditLog(log).info({ checkpoint }, 'ledger checkpoint');
}

/** A collector wants them all, whatever else is logged. */
function auditLog(log: Logger): Logger {
  return log.child({}, { level: 'info' });
}
