import { LRUCache } from 'lru-cache';
import type { EndedRun } from '../../core/history.ts';
import type { OwnRun } from '../../core/inbox/inbox.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { ExecutionStore } from '../../core/ports.ts';
import type { HomeRun } from './home-model.ts';

/** A person's runs with what a list shows of them. Throws `StoreUnavailable`. */
export type FindRuns = (runs: readonly OwnRun[]) => Promise<HomeRun[]>;

/** Of those that have ended, only the latest are shown: each is a record to be read. */
const MOST_ENDED = 15;
const MOST_KEPT = 5_000;
const RECENT_MS = 60_000;

/** Runs that have ended don't change any more, so that each is read once. */
export function createFindRuns(store: Pick<ExecutionStore, 'load'>): FindRuns {
  const kept = new LRUCache<string, { run: HomeRun | null }>({ max: MOST_KEPT });

  const findEnded = async ({ ref, endedAt }: EndedRun): Promise<HomeRun | null> => {
    const key = `${ref} ${endedAt}`;
    const known = kept.get(key);
    if (known) return known.run;
    const found = await store.load(ref, { mostAgeMs: RECENT_MS });
    const run = found && runOf(found.execution, endedAt);
    kept.set(key, { run });
    return run;
  };

  return async (runs) => {
    const open = runs.flatMap((each) => (each.kind === 'open' ? [{ ...each.run, endedAt: null }] : []));
    const ended = runs.flatMap((each) => (each.kind === 'ended' ? [each.ended] : []));
    const found = await Promise.all(ended.slice(0, MOST_ENDED).map(findEnded));
    return [...open, ...found.filter((run) => run !== null)];
  };
}

type Execution = NonNullable<Awaited<ReturnType<ExecutionStore['load']>>>['execution'];

function runOf({ ref, crew, channel, run, inputs, createdAt, root }: Execution, endedAt: number): HomeRun {
  return { ref, crew, channel, status: run.status, inputs, createdAt, endedAt, rootTs: tsOf(root) };
}
