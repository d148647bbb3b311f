import type { Execution } from '../../core/execution/execution.ts';
import type { ExecutionStore } from '../../core/ports.ts';

type Ids = { kickoffId: string | null; executionId?: string | null };

export function idsOf({ kickoffId, executionId }: Ids): string[] {
  return [...new Set([executionId ?? null, kickoffId])].filter((id) => id !== null);
}

/** Stores which execution a notification's ids belong to, so that one without our address can be matched as well. */
export async function linkIds(store: ExecutionStore, execution: Execution, ids: Ids): Promise<void> {
  const { crew, ref } = execution;
  await Promise.all(idsOf(ids).map((id) => store.linkId(crew, id, ref)));
}

/** The same for frequent notifications: stores only ids that are new to the execution. */
export async function linkNewIds(
  store: ExecutionStore,
  { before, after }: { before: Execution; after: Execution },
  { kickoffId }: Ids,
): Promise<void> {
  if (kickoffId === null || before.kickoffIds.includes(kickoffId) || !after.kickoffIds.includes(kickoffId)) return;
  await store.linkId(after.crew, kickoffId, after.ref);
}
