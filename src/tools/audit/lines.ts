import { z } from 'zod';
import { canonicalJson, type Entry, type LedgerEvent } from '../../core/ledger/entry.ts';
import { INPUT_KINDS } from '../../core/policy/condition.ts';
import type { PolicyDocument } from '../../core/policy/document.ts';
import { COMMENT, DELEGATION } from '../../core/policy/policy.ts';
import { FACTS, LEDGER_KIND } from '../../redis/ledger/entries.ts';

// The format of an export: lines of canonical JSON, each of one of five kinds.

const count = z.number().int().nonnegative();
const time = count;
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const RULES = {
  approvers: z.array(z.string()),
  quorum: count,
  all_of: z.array(z.string()).optional(),
  self_approval: z.boolean(),
  started_elsewhere: z.array(z.string()).optional(),
  guests: z.boolean(),
  delegation: z.enum(DELEGATION).optional(),
  undo_ms: count,
  min_review_ms: count,
  remind_after_ms: count.nullable(),
  escalate_after_ms: count.nullable(),
  escalate_to: z.array(z.string()),
  expire_after_ms: count.nullable(),
  on_expiry: z.enum(['close', 'reject']),
  expiry_text: z.string(),
  comment: z.strictObject({ approve: z.enum(COMMENT), reject: z.enum(COMMENT) }).optional(),
  on_decline: z.literal('reject').optional(),
  step_up: z.literal(true).optional(),
  approving: z.array(z.string()).optional(),
};

const STAGES = { stages: z.array(z.strictObject({ name: z.string(), ...RULES })).optional() };

const CONDITIONED = {
  ...RULES,
  ...STAGES,
  when: z.array(z.strictObject({ if: z.string(), ...RULES, ...STAGES })).optional(),
};

const DOCUMENT: z.ZodType<PolicyDocument> = z.strictObject({
  ...CONDITIONED,
  tasks: z.array(
    z.union([
      z.strictObject({ match: z.string(), ...CONDITIONED }),
      z.strictObject({ id: z.string(), ...CONDITIONED }),
    ]),
  ),
  inputs: z.record(z.string(), z.enum(INPUT_KINDS)).optional(),
  match_titles: z.literal(true).optional(),
});

const POLICY = z.strictObject({ policy: z.strictObject({ document: DOCUMENT, hash }) });

const CHECKPOINT = z.strictObject({
  checkpoint: z.strictObject({
    /** Proof that the tree of the first checkpoint begins with this one. */
    consistency: z.array(hash),
    note: z.string(),
  }),
});

const PROOF = z.strictObject({
  proof: z.strictObject({ hashes: z.array(hash), index: count, ref: z.string(), seq: count }),
});

const MANIFEST = z.strictObject({
  export: z.strictObject({
    /** Expired leaves as [from, until[; null if only some runs are exported. */
    absent: z.array(z.tuple([count, count])).nullable(),
    at: time,
    audit_days: count,
    entries: count,
    filters: z.strictObject({
      crew: z.string().nullable(),
      ref: z.string().nullable(),
      since: time.nullable(),
      until: time.nullable(),
    }),
    /** Newest first. */
    keys: z.array(z.string()).min(1),
    /** First and last sealed entry of each chosen run; null if all are exported. */
    runs: z.record(z.string(), z.tuple([count, count])).nullable(),
    sha256: hash,
    size: count,
  }),
  /** One for each key. */
  signatures: z.array(z.string()),
});

const ENTRY = z.strictObject({
  seq: z.number().int().positive(),
  at: time,
  ref: z.string(),
  kind: LEDGER_KIND,
  facts: z.unknown(),
  prev: z.union([hash, z.literal('')]),
  hash,
});

export type PolicyLine = z.infer<typeof POLICY>;
export type CheckpointLine = z.infer<typeof CHECKPOINT>;
export type ProofLine = z.infer<typeof PROOF>;
export type Manifest = z.infer<typeof MANIFEST>;
/** An entry with facts of its kind. */
export type EntryLine = Entry & LedgerEvent;
export type Line = EntryLine | PolicyLine | CheckpointLine | ProofLine | Manifest;

/** Returns the hash of the policy that an entry names; null if it names none. */
export function policyNamedIn(facts: LedgerEvent['facts']): string | null {
  return 'policy' in facts ? facts.policy : null;
}

/** Parses a line without its line break; returns a sentence if it isn't one. */
export function parseLine(text: string): Line | string {
  const value = parseCanonical(text);
  if (value === undefined) return "isn't canonical JSON";
  const parsed = schemaOf(value).safeParse(value);
  if (!parsed.success) return `isn't a line of an export: ${whereWrong(parsed.error)}`;
  if (!('kind' in parsed.data)) return parsed.data;
  if (isOlder(parsed.data)) return OLDER;
  const facts = FACTS[parsed.data.kind].safeParse(parsed.data.facts);
  if (!facts.success) return `isn't an entry of the kind ${parsed.data.kind}: ${whereWrong(facts.error)}`;
  return parsed.data as EntryLine;
}

const OLDER =
  "is an entry of an older build's, whose ledger judges requests otherwise: verify the export with the build that has made it";

const OLDER_FACTS = z.union([
  z.object({ reopened: z.boolean() }),
  z.object({ escalated: z.boolean() }),
  z.object({ seen: z.object({ rules: z.array(z.number()) }) }),
  z.object({ completes: z.array(z.object({ by: z.string() })) }),
]);

/** Returns true for facts of a build that didn't enter all rules that may turn out to apply. */
function isOlder({ kind, facts }: z.infer<typeof ENTRY>): boolean {
  const isOldEscalation = kind === 'escalated' && !z.object({ places: z.array(z.string()) }).safeParse(facts).success;
  return isOldEscalation || OLDER_FACTS.safeParse(facts).success;
}

function schemaOf(value: object) {
  if ('policy' in value) return POLICY;
  if ('checkpoint' in value) return CHECKPOINT;
  if ('proof' in value) return PROOF;
  return 'export' in value ? MANIFEST : ENTRY;
}

function parseCanonical(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

function whereWrong({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: '' }] = issues;
  return `${path.map(String).join('.')}: ${message}`.replace(/^: /, '');
}
