import type { CrewPolicy } from '../../core/approval/policy/policy.ts';
import { hashOf } from '../../core/ledger/entry.ts';
import type { EntryLine } from '../lines/line.ts';
import { type Requests, replay } from './replay.ts';

interface Run {
  seq: number;
  hash: string;
  requests: Requests;
  /** Its first entries have expired, so not all of its story can be told again. */
  isCut: boolean;
}

/** The chains of an export, one entry after the other. */
export interface ChainChecks {
  /** What is wrong with an entry; null if nothing is. */
  check(entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): string | null;
  runs(): number;
  /** The line of the first entry whose chain doesn't begin at its beginning; null if there is none. */
  firstCut(): number | null;
}

/** @param line tells the number of the line that is being checked */
export function createChainChecks(line: () => number): ChainChecks {
  const runs = new Map<string, Run>();
  let firstCut: number | null = null;
  const runOf = ({ ref, seq, prev }: EntryLine): Run => {
    const known = runs.get(ref);
    if (known) return known;
    const isCut = seq !== 1;
    if (isCut) firstCut ??= line();
    const run = { seq: seq - 1, hash: isCut ? prev : '', requests: new Map(), isCut };
    runs.set(ref, run);
    return run;
  };
  return {
    check(entry, policies) {
      const run = runOf(entry);
      if (entry.seq !== run.seq + 1) return `is entry ${entry.seq} of ${entry.ref}, but ${run.seq + 1} comes next`;
      if (entry.prev !== run.hash) return `doesn't follow on entry ${run.seq} of ${entry.ref}`;
      if (entry.hash !== hashOf(entry)) return "has a hash that isn't its own";
      run.seq = entry.seq;
      run.hash = entry.hash;
      const problem = replay(run.requests, entry, policies);
      return run.isCut ? null : problem;
    },
    runs: () => [...runs.keys()].filter((ref) => !ref.startsWith('crew:')).length,
    firstCut: () => firstCut,
  };
}
