import { hashOf, type LedgerKind } from '../../../core/ledger/entry.ts';
import { policyHash } from '../../../core/policy/document.ts';
import { type CrewPolicy, NOBODY } from '../../../core/policy/policy.ts';
import type { Millis } from '../../../core/values/time.ts';
import { type EntryLine, policyNamedIn } from '../lines.ts';
import { type Requests, replay } from './replay.ts';

// Whether the entries of each chain follow on each other, tell a possible story, and name policies that their crew had.

/** What is wrong, and in which line. */
export interface Problem {
  line: number;
  text: string;
}

/** The entries of a run, or those of a crew beside its runs. */
interface Chain {
  /** The first of its entries that is there, and the last so far. */
  first: number;
  seq: number;
  hash: string;
  at: Millis;
  requests: Requests;
  /** The first entry that names each policy. */
  named: Map<string, Named>;
  /** Since when each policy is in force, in the chain of a crew. */
  inForce: Map<string, Millis>;
  /** Its first entries have expired, so not all of its story can be told again. */
  isCut: boolean;
}

interface Named {
  line: number;
  at: Millis;
}

/** The chains of an export, one entry after the other. */
export interface ChainChecks {
  /** What is wrong with an entry; null if nothing is. */
  check(entry: EntryLine, policies: ReadonlyMap<string, CrewPolicy>): string | null;
  /**
   * The first entry by a policy that its crew never had, or not yet: only the whole export tells. Null if there is none.
   * @param mayHaveExpired whether entries from before those of the export may have been deleted in time, or not been chosen
   */
  strayPolicy(mayHaveExpired: boolean): Problem | null;
  /** By their refs: the first and the last entry of each chain that is there. */
  lengths(): Record<string, [number, number]>;
  /** How many of them are runs. */
  runs(): number;
  /** How many decisions were judged: without the first entries of its run, none can be. */
  decisions(): number;
  /** The line of the first entry whose chain doesn't begin at its beginning; null if there is none. */
  firstCut(): number | null;
}

/**
 * The chain of a crew and those of its runs may lie on nodes whose clocks differ; and where a clock was set back, a chain that was
 * ahead stands still until it is reached again.
 */
const CHAINS_APART_MS = 24 * 60 * 60_000;

/** That of a crew which isn't configured. */
const UNKNOWN = policyHash(NOBODY);

/** @param line tells the number of the line that is being checked */
export function createChainChecks(line: () => number): ChainChecks {
  const chains = new Map<string, Chain>();
  let decisions = 0;
  let firstCut: number | null = null;
  const chainOf = ({ ref, seq, prev, at }: EntryLine): Chain => {
    const known = chains.get(ref);
    if (known) return known;
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

/** How a chain ends that has what happened to a crew on one day. */
const DAY = /\/\d{4}-\d\d-\d\d$/;

function isOfCrew(ref: string): boolean {
  return ref.startsWith(CREW);
}

/** The kinds that the chains of crews have. */
const OF_CREWS: readonly LedgerKind[] = ['policy', 'tried', 'refused'];

/** The chains of a crew have its policies, trials, and starts that were refused; everything else is in the chain of a run. */
function whyMisplaced({ ref, kind, facts }: EntryLine): string | null {
  if (kind === 'policy' && ref !== `${CREW}${facts.crew}`)
    return `is a policy of the crew ${facts.crew} in the chain ${ref}`;
  if (kind === 'tried' && (!DAY.test(ref) || ref.replace(DAY, '') !== `${CREW}${facts.crew}`))
    return `is a trial of the crew ${facts.crew} in the chain ${ref}`;
  return isOfCrew(ref) && !OF_CREWS.includes(kind) ? `is "${kind}" in the chain ${ref}` : null;
}

/** Null for a run of which no request is known. */
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

/** Keeps what `strayPolicy` needs to know of an entry. */
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

/** The entries of a chain by policies that its crew never had, or not yet. Those of a chain that isn't whole can't be told. */
function strayIn({ named }: Chain, { inForce, isCut }: Chain, mayHaveExpired: boolean): Problem[] {
  if (isCut || inForce.size === 0) return [];
  // Another chain of the crew may have been before this one.
  const from = mayHaveExpired ? Math.min(...inForce.values()) : 0;
  const isStray = (hash: string, { at }: Named) => {
    const since = inForce.get(hash) ?? Number.POSITIVE_INFINITY;
    return at >= from && at < since - CHAINS_APART_MS;
  };
  return [...named]
    .filter(([hash, first]) => isStray(hash, first))
    .map(([, { line }]) => ({ line, text: 'names a policy that its crew did not have by then' }));
}
