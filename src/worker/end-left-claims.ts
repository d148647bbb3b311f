import type { Logger } from 'pino';
import { checkClaims, claimingProcesses, claimsOf } from '../core/check-claims.ts';
import type { ExecutionStore } from '../core/ports.ts';
import type { ProcessRegistry } from '../core/queue-ports.ts';
import { change } from './change.ts';

/** Ends the claims whose calls can no longer be answered, such as those of processes that are gone. */
export async function endLeftClaims(
  { store, processes, log }: { store: ExecutionStore; processes: ProcessRegistry; log: Logger },
  ref: string,
): Promise<void> {
  const found = await store.load(ref);
  if (!found) return;
  const gone = new Set<string>();
  for (const id of claimingProcesses(found.execution, found.now)) if (await processes.isGone(id)) gone.add(id);
  const check = { isGone: (id: string) => gone.has(id) };
  const after = await change(store, ref, (execution, now) => checkClaims(execution, { ...check, now }));
  const ended = after ? claimsOf(found.execution).length - claimsOf(after).length : 0;
  if (ended > 0 || gone.size > 0) log.warn({ ref, ended, gone: [...gone] }, 'calls were left unanswered');
}
