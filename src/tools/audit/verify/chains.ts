import { hashOf, type LedgerKind } from '../../../core/ledger/entry.ts';
import { policyHash } from '../../../core/policy/document.ts';
import { type CrewPolicy, NOBODY } from '../../../core/policy/policy.ts';
import type { Millis } from '../../../core/values/time.ts';
import { type EntryLine, policyNamedIn } from '../lines.ts';
import { type Requests, replay } from './replay.ts';

// Checks that the entries of each chain follow each other, tell a possible story, and name policies of their crew.

/** A problem in a line. */
export interface Problem {
  line: number;
  text: string;
}

/** The chain of a run or a crew, as far as it was read. */
interface Chain {
  /** First entry in the export, and the last one so far. */
  first: number;
  seq: number;
  hash: string;
  at: Millis;
  requests: Requests;
  /** First entry that names each policy. */
  named: Map<string, Named>;
  /** Time since when each policy is in force, for the chain of a crew. */
  inForce: Map<string, Millis>;
  /** True if its first entries have expired, so that its story isn't complete. */
  isCut: boolean;
}

interface Named {
  line: number;
  at: Millis;
}

/** Checks the chains of an export, entry by entry. */
export interface ChainChecks {
  /** Returns what is wrong with an entry; null if nothing is. */
  check(entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): string | null;
  /**
   * Returns the first entry by a policy that its crew didn't have by then, which only the whole export shows; null if there is
   * none.
   * @param mayHaveExpired true if earlier entries may have expired, or may not have been chosen
   */
  strayPolicy(mayHaveExpired: boolean): Problem | null;
  /** Returns the first and the last entry of each chain by ref. */
  lengths(): Record<string, [number, number]>;
  /** Returns the number of runs. */
  runs(): number;
  /** Returns the number of judged decisions. A run without its first entries has none. */
  decisions(): number;
  /** Returns the line of the first chain whose beginning is missing; null if there is none. */
  firstCut(): number | null;
}

/** Chains may lie on nodes whose clocks differ. If a clock was set back, a chain stands still until its time is reached again. */
const CHAINS_APART_MS = 24 * 60 * 60_000;

/** Hash of the policy for a crew that isn't configured. */
const UNKNOWN = policyHash(NOBODY);

/** @param line returns the number of the current line */
export function createChainChecks(line: () => number): ChainChecks {
  const chains = new Map<string, Chain>();
  let decisions = 0;
  let firstCut: number | null = null;
  const chainOf = ({ ref, seq, prev, at }: EntryLine): Chain => {
    const current = chains.get(ref);
    if (current) return current;
    const isCut = seq !== 1;
    if (isCut) firstCut ??= line();
    const chain: Chain = {
      first: seq,
      seq: seq - 1,
      hash: isCut ? prev : '',
      at,
      requests: new Map(),
      named: new Map(),
      inForce: new Map(),
      isCut,
    };
    chains.set(ref, chain);
    return chain;
  };
  return {
    check(entry, policies) {
      const chain = chainOf(entry);
      if (entry.seq !== chain.seq + 1) return `is entry ${entry.seq} of ${entry.ref}, but ${chain.seq + 1} comes next`;
      if (entry.prev !== chain.hash) return `doesn't follow on entry ${chain.seq} of ${entry.ref}`;
      if (entry.hash !== hashOf(entry)) return "has a hash that isn't its own";
      if (entry.at < chain.at) return 'is dated before the entry that it follows on';
      chain.seq = entry.seq;
      chain.hash = entry.hash;
      chain.at = entry.at;
      const misplaced = whyMisplaced(entry);
      if (misplaced) return misplaced;
      const problem = replay(chain.requests, entry, policies);
      if (problem) return chain.isCut ? null : problem;
      if (entry.kind === 'decided' && !chain.isCut) decisions += 1;
      recordPolicy(chain, { line: line(), entry, policies });
      return null;
    },
    strayPolicy(mayHaveExpired) {
      const stray = [...chains].flatMap(([ref, chain]) => {
        const crew = crewOf(ref, chain);
        const policies = crew === null ? undefined : chains.get(`${CREW}${crew}`);
        return policies ? strayIn(chain, policies, mayHaveExpired) : [];
      });
      return stray.reduce<Problem | null>((first, each) => (first && first.line < each.line ? first : each), null);
    },
    lengths: () => Object.fromEntries([...chains].map(([ref, { first, seq }]) => [ref, [first, seq]])),
    runs: () => [...chains.keys()].filter((ref) => !isOfCrew(ref)).length,
    decisions: () => decisions,
    firstCut: () => firstCut,
  };
}

const CREW = 'crew:';

/** End of the ref of a crew's chain for one day. */
const DAY = /\/\d{4}-\d\d-\d\d$/;

function isOfCrew(ref: string): boolean {
  return ref.startsWith(CREW);
}

/** Kinds of entries in the chains of crews. */
const OF_CREWS: readonly LedgerKind[] = ['policy', 'tried', 'refused'];

/** Returns why an entry is in the wrong chain. A crew's chains have its policies, trials and refused starts only. */
function whyMisplaced({ ref, kind, facts }: EntryLine): string | null {
  if (kind === 'policy' && ref !== `${CREW}${facts.crew}`)
    return `is a policy of the crew ${facts.crew} in the chain ${ref}`;
  if (kind === 'tried' && (!DAY.test(ref) || ref.replace(DAY, '') !== `${CREW}${facts.crew}`))
    return `is a trial of the crew ${facts.crew} in the chain ${ref}`;
  return isOfCrew(ref) && !OF_CREWS.includes(kind) ? `is "${kind}" in the chain ${ref}` : null;
}

/** Returns null for a run without a known request. */
function crewOf(ref: string, { requests }: Chain): string | null {
  const [first] = requests.values();
  if (!isOfCrew(ref)) return first?.asked.crew ?? null;
  return ref.slice(CREW.length).replace(DAY, '');
}

interface Recorded {
  line: number;
  entry: EntryLine;
  policies: ReadonlyMap<string, CrewPolicy>;
}

/** Collects the facts for `strayPolicy`. */
function recordPolicy({ named, inForce }: Chain, { line, entry, policies }: Recorded): void {
  const { kind, at, facts } = entry;
  const policy = policyNamedIn(facts);
  if (kind === 'policy') {
    if (!inForce.has(facts.policy)) inForce.set(facts.policy, at);
  } else if (policy !== null) {
    const isAnyCrews = policyHash(policies.get(policy) ?? null) === UNKNOWN;
    if (!isAnyCrews && !named.has(policy)) named.set(policy, { line, at });
  }
}

/** Returns the entries of a chain by policies that its crew didn't have by then; none if the crew's chain isn't whole. */
function strayIn({ named }: Chain, { inForce, isCut }: Chain, mayHaveExpired: boolean): Problem[] {
  if (isCut || inForce.size === 0) return [];
  // The crew may have had an earlier chain.
  const from = mayHaveExpired ? Math.min(...inForce.values()) : 0;
  const isStray = (hash: string, { at }: Named) => {
    const since = inForce.get(hash) ?? Number.POSITIVE_INFINITY;
    return at >= from && at < since - CHAINS_APART_MS;
  };
  return [...named]
    .filter(([hash, first]) => isStray(hash, first))
    .map(([, { line }]) => ({ line, text: 'names a policy that its crew did not have by then' }));
}
