import { z } from 'zod';
import type { LedgerFacts, LedgerKind } from '../../core/ledger/event.ts';

const count = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.strictObject({ sha256: hash, length: count });
const right = { by: z.string(), rule: z.string(), account: z.enum(['member', 'guest', 'stranger']) };
const given = { for: z.strictObject(right).optional() };
const vote = { ...right, ...given };
const approval = z.string();
const person = z.string();

/** The facts of each kind of entry, exactly as they are exported. */
export const FACTS: { [Kind in LedgerKind]: z.ZodType<LedgerFacts[Kind]> } = {
  asked: z.strictObject({
    approval,
    crew: z.string(),
    channel: z.string(),
    task: z.strictObject({ id: z.string(), name: z.string().nullable() }),
    round: count,
    output: text,
    starter: person.nullable(),
    policy: hash,
  }),
  named: z.strictObject({
    approval,
    task: z.strictObject({ id: z.string(), name: z.string() }),
    policy: hash,
    reopened: z.boolean(),
  }),
  voted: z.strictObject({ approval, ...vote, text: text.nullable(), policy: hash }),
  withdrawn: z.strictObject({ approval, by: person, reason: z.string() }),
  decided: z.strictObject({
    approval,
    verdict: z.enum(['approve', 'reject']),
    by: z.strictObject(vote).nullable(),
    votes: z.array(z.strictObject(vote)),
    text,
    policy: hash,
    escalated: z.boolean(),
    handed_to: z.array(person),
    undo_ms: count,
  }),
  refused: z.strictObject({
    approval: approval.nullable(),
    action: z.string(),
    by: person,
    reason: z.string(),
    policy: hash,
    times: count.optional(),
  }),
  undone: z.strictObject({ approval, by: person, rule: z.string(), policy: hash }),
  'handed-over': z.strictObject({
    approval,
    by: person,
    to: person,
    rule: z.string(),
    ...given,
    policy: hash,
    until: count.optional(),
  }),
  'taken-back': z.strictObject({ approval, by: person, to: person, until: count.optional() }),
  reminded: z.strictObject({ approval, number: count, mentioned: z.array(z.string()) }),
  escalated: z.strictObject({
    approval,
    to: z.array(z.string()),
    mentioned: z.array(z.string()),
    policy: hash.optional(),
  }),
  expired: z.strictObject({ approval, outcome: z.enum(['close', 'reject']), policy: hash.optional() }),
  sent: z.strictObject({ approval, attempt: count }),
  confirmed: z.strictObject({ approval, proof: z.enum(['accepted', 'evidence']) }),
  unconfirmed: z.strictObject({ approval, attempt: count }),
  policy: z.strictObject({ crew: z.string(), policy: hash }),
};
