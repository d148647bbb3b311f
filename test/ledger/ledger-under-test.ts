import { canonicalJson, type LedgerEvent, sha256, type VoteFacts } from '../../src/core/ledger/entry.ts';
import { policyDocument, policyHash } from '../../src/core/policy/document.ts';
import { type CrewPolicy, DEFAULT_POLICY } from '../../src/core/policy/policy.ts';
import { deriveSigners } from '../../src/ledger/checkpoint.ts';
import type { RedisClient } from '../../src/redis/call.ts';
import { policiesKey } from '../../src/redis/keys.ts';
import { appendToChain } from '../../src/redis/ledger/chain.ts';
import { recordPolicies } from '../../src/redis/ledger/policies.ts';
import { exportLines, type Filters } from '../../src/tools/audit/export.ts';
import { summaryText, verifyExport } from '../../src/tools/audit/verify/export.ts';

export const SECRET = 'a secret of at least thirty-two characters';
export const signers = deriveSigners([SECRET]);
export const AUDIT_DAYS = 400;
export const ledgerOptions = { auditDays: AUDIT_DAYS, entryKeys: signers.map(({ entryKey }) => entryKey) };
export const NOW = 1_795_000_000_000;
export const DAY_MS = 24 * 60 * 60_000;

export const POLICY: CrewPolicy = {
  ...DEFAULT_POLICY,
  delegation: 'anyone',
  approvers: [
    { kind: 'handle', name: '@leads' },
    { kind: 'person', name: 'U0MARIA' },
  ],
  quorum: 2,
  selfApproval: false,
};
const policy = policyHash(POLICY);

export const maria: VoteFacts = { by: 'U0MARIA', rule: 'U0MARIA', account: 'member' };
export const jon: VoteFacts = { by: 'U0JON', rule: '@leads', account: 'member' };
const textOf = (text: string) => ({ sha256: sha256(text), length: text.length });

type Event<Kind extends LedgerEvent['kind']> = Extract<LedgerEvent, { kind: Kind }>;

/** A request of the crew `research`, whose policy wants two approvals. */
export function asked(facts: Partial<Event<'asked'>['facts']> = {}, at = NOW): LedgerEvent {
  const task = { id: '325337af-ace4-48c1-aa12-761c220bc778', name: 'publish the draft' };
  const request = { approval: '1', crew: 'research', channel: 'C0123456789', task, round: 1 };
  return { kind: 'asked', at, facts: { ...request, output: textOf('a draft'), starter: 'U0ANNA', policy, ...facts } };
}

export function voted(by = maria, at = NOW + 1_000): LedgerEvent {
  return { kind: 'voted', at, facts: { approval: '1', ...by, text: null, policy } };
}

export function decided(facts: Partial<Event<'decided'>['facts']> = {}, at = NOW + 2_000): LedgerEvent {
  const decision = { approval: '1', verdict: 'approve' as const, by: jon, votes: [maria], text: textOf('Approved.') };
  return { kind: 'decided', at, facts: { ...decision, policy, escalated: [], handed_to: [], undo_ms: 0, ...facts } };
}

export const sent: LedgerEvent = { kind: 'sent', at: NOW + 3_000, facts: { approval: '1', attempt: 1 } };
export const confirmed: LedgerEvent = {
  kind: 'confirmed',
  at: NOW + 4_000,
  facts: { approval: '1', proof: 'accepted' },
};

/** One run from the question to the crew's answer. */
export const STORY = [asked(), voted(), decided(), sent, confirmed];

export function append(redis: RedisClient, ref: string, events: readonly LedgerEvent[] = STORY) {
  return appendToChain(redis, ref, { events, ...ledgerOptions });
}

/** A policy that a crew has had since its runs began. */
export async function recordPolicy(redis: RedisClient, approval = POLICY, name = 'research') {
  const hash = policyHash(approval);
  await redis.hset(policiesKey, hash, canonicalJson(policyDocument(approval)));
  await recordPolicies(redis, [], ledgerOptions);
  const since: LedgerEvent = { kind: 'policy', at: NOW, facts: { crew: name, policy: hash } };
  return append(redis, `crew:${name}`, [since]);
}

/** Refs as long as real ones, in many shards. */
export const refOf = (number: number) => `run${String(number).padStart(4, '0')}abcdefghijklmnopqrst`.slice(0, 26);

/** These runs, each with its whole story. */
export async function seed(redis: RedisClient, runs: number): Promise<void> {
  await recordPolicy(redis);
  for (let number = 0; number < runs; number++) await append(redis, refOf(number));
}

interface Wanted {
  filters?: Partial<Filters>;
  after?: string;
  secrets?: string[];
  now?: number;
}

export async function exported(
  redis: RedisClient,
  { filters, after, secrets = [SECRET], now = Date.now() }: Wanted = {},
) {
  const lines: string[] = [];
  const options = {
    signers: deriveSigners(secrets),
    auditDays: AUDIT_DAYS,
    filters: { since: null, until: null, crew: null, ref: null, ...filters },
    after: after ?? null,
    now,
  };
  for await (const line of exportLines(redis, options)) lines.push(line);
  return lines.join('');
}

/** What verifying says: the summary, or `line N: …`. */
export async function verified(
  text: string | Buffer,
  options: Partial<Parameters<typeof verifyExport>[1]> = {},
): Promise<string> {
  const [bytes, half] = [Buffer.from(text), Math.floor(text.length / 2)];
  const chunks = (async function* () {
    yield bytes.subarray(0, half);
    yield bytes.subarray(half);
  })();
  const outcome = await verifyExport(chunks, { key: null, after: null, ...options });
  return outcome.kind === 'wrong'
    ? `line ${outcome.problem.line}: ${outcome.problem.text}`
    : summaryText(outcome.summary, options.key ? 'given' : 'own').join('\n');
}
