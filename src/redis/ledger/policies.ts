import { z } from 'zod';
import { canonicalJson, type Entry } from '../../core/ledger/entry.ts';
import type { Crew } from '../../core/policy/crew.ts';
import { policyDocument, policyHash } from '../../core/policy/document.ts';
import type { ConditionTexts, PolicyConditions } from '../../core/policy/explained.ts';
import { type CrewPolicy, NOBODY, patternOf } from '../../core/policy/policy.ts';
import type { Millis } from '../../core/values/time.ts';
import { answerDeadline, insist, type RedisClient } from '../call.ts';
import { ledgerKey, policiesKey } from '../keys.ts';
import { appendToChain } from './chain.ts';
import { chainLifetimeMs, type LedgerOptions } from './entries.ts';
import { dayOf } from './tree.ts';

// The policies of crews in the ledger: `bot/ledger.ts` records them at a start and after lost writes; history and audit read them.

type CrewWithPolicy = Pick<Crew, 'name' | 'approval'>;

/** Returns the ref of the chain of a crew's policies. */
export function crewChain(crew: string): string {
  return `crew:${crew}`;
}

/**
 * Returns the ref of the chain for one day of a crew beside its runs: refused starts, and trials. A chain for each day can
 * expire, which a policy in force mustn't.
 */
export function crewDayChain(crew: string, at: Millis): string {
  return `${crewChain(crew)}/${dayOf(at)}`;
}

/**
 * Stores the policy of each crew, and appends an entry where it differs from the crew's last one: just one, however many processes
 * start at once. Resolves to the new entries. @throws {StoreUnavailable}
 */
export async function recordPolicies(
  redis: RedisClient,
  crews: Iterable<CrewWithPolicy>,
  options: LedgerOptions,
): Promise<Entry[]> {
  // Entries name this policy for crews that are no longer configured.
  await keepPolicy(redis, NOBODY);
  const entries: Entry[] = [];
  for (const crew of crews) entries.push(...(await recordPolicy(redis, crew, options)));
  return entries;
}

/** Returns the canonical JSON of a policy's document; null if there never was one with this hash. @throws {StoreUnavailable} */
export function readPolicy(redis: RedisClient, hash: string): Promise<string | null> {
  return insist(redis, answerDeadline(), () => redis.hget(policiesKey, hash));
}

const CONDITIONS = z.array(z.object({ if: z.string() })).default([]);
const CONDITIONED = z.object({
  when: CONDITIONS,
  tasks: z.array(z.object({ match: z.string().optional(), id: z.string().optional(), when: CONDITIONS })).default([]),
});

/**
 * Returns the conditions of the policies that these entries name, by hash, where an entry says what the conditions saw (`seen`).
 * @throws {StoreUnavailable}
 */
export async function readConditions(redis: RedisClient, entries: readonly Entry[]): Promise<PolicyConditions> {
  const hashes = new Set(entries.flatMap(({ facts }) => ('seen' in facts && facts.seen ? [facts.policy] : [])));
  const documents = [...hashes].map(async (hash) => [hash, await readPolicy(redis, hash)] as const);
  const texts = new Map<string, ConditionTexts>();
  for (const [hash, document] of await Promise.all(documents)) {
    const parsed = CONDITIONED.safeParse(JSON.parse(document ?? 'null'));
    if (parsed.success) texts.set(hash, textsIn(parsed.data));
  }
  return texts;
}

function textsIn({ when, tasks }: z.infer<typeof CONDITIONED>): ConditionTexts {
  const textsOf = (conditions: z.infer<typeof CONDITIONS>) => conditions.map((condition) => condition.if);
  return {
    when: textsOf(when),
    tasks: tasks.map((task) => ({ match: patternOf(task).match, when: textsOf(task.when) })),
  };
}

async function recordPolicy(redis: RedisClient, { name, approval }: CrewWithPolicy, options: LedgerOptions) {
  // The policy is stored first, so that no entry names an unknown one.
  const policy = await keepPolicy(redis, approval);
  const at = await redisNow(redis);
  const entries = await appendToChain(redis, crewChain(name), {
    events: (head) => (head.policy === policy ? [] : [{ kind: 'policy', at, facts: { crew: name, policy } }]),
    ...options,
  });
  // Renewed each time: without a new entry, the chain of a policy that never changes would expire.
  await insist(redis, answerDeadline(), () =>
    redis.pexpire(ledgerKey(crewChain(name)), chainLifetimeMs(options.auditDays)),
  );
  return entries;
}

async function keepPolicy(redis: RedisClient, policy: CrewPolicy): Promise<string> {
  const hash = policyHash(policy);
  const document = canonicalJson(policyDocument(policy));
  await insist(redis, answerDeadline(), () => redis.hset(policiesKey, hash, document));
  return hash;
}

/** Returns the time by Redis' clock. @throws {StoreUnavailable} */
export async function redisNow(redis: RedisClient): Promise<Millis> {
  const [seconds, micros] = await insist(redis, answerDeadline(), () => redis.time());
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
