import type { Logger } from 'pino';
import { checkClaims, claimingProcesses } from '../core/check-claims.ts';
import type { ExecutionStore, ProcessRegistry } from '../core/ports.ts';
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
  await change(store, ref, (execution, now) => checkClaims(execution, { now, isGone: (id) => gone.has(id) }));
  if (gone.size > 0) log.warn({ ref, processes: [...gone] }, 'the process of an unanswered call is gone');
}
