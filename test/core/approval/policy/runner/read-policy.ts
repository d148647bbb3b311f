import { parse } from 'yaml';
import { z } from 'zod';
import {
  COMMENT,
  type CrewPolicy,
  DEFAULT_POLICY,
  DELEGATION,
  type PolicyDocument,
  policyDocument,
  policyOf,
} from '../../../../../src/core/approval/policy/policy.ts';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as the crews file writes it, in milliseconds. */
export function milliseconds(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(ms)) throw new Error(`"${text}" is no duration.`);
  return ms;
}

const duration = z.string().transform(milliseconds).optional();

const RULES = z.strictObject({
  approvers: z.array(z.string()).optional(),
  quorum: z.number().optional(),
  self_approval: z.boolean().optional(),
  guests: z.boolean().optional(),
  delegation: z.enum(DELEGATION).optional(),
  undo: duration,
  min_review: duration,
  remind_after: duration,
  escalate_after: duration,
  escalate_to: z.array(z.string()).optional(),
  expire_after: duration,
  on_expiry: z.enum(['close', 'reject']).optional(),
  comment: z.strictObject({ approve: z.enum(COMMENT), reject: z.enum(COMMENT) }).optional(),
  on_decline: z.literal('reject').optional(),
  match: z.string().optional(),
});
const POLICY = RULES.extend({ tasks: z.array(RULES).default([]) });

type Rules = Omit<PolicyDocument, 'tasks'>;

/** Reads a policy as a crews file writes it, on one line. What is left out keeps its default, or what the crew says. */
export function readPolicy(text: string): CrewPolicy {
  const quoted = text.replaceAll(/@[\w-]+(?=[,\]])/g, '"$&"');
  const { tasks, ...own } = POLICY.parse(parse(`{ ${quoted} }`));
  const { tasks: _, ...usual } = policyDocument(DEFAULT_POLICY);
  const rules = over(usual, own);
  return policyOf({ ...rules, tasks: tasks.map((task) => ({ ...over(rules, task), match: task.match ?? '' })) });
}

function over(
  rules: Rules,
  { undo, min_review, remind_after, escalate_after, expire_after, ...own }: z.output<typeof RULES>,
): Rules {
  return {
    approvers: own.approvers ?? rules.approvers,
    quorum: own.quorum ?? rules.quorum,
    self_approval: own.self_approval ?? rules.self_approval,
    guests: own.guests ?? rules.guests,
    delegation: own.delegation ?? rules.delegation,
    undo_ms: undo ?? rules.undo_ms,
    min_review_ms: min_review ?? rules.min_review_ms,
    remind_after_ms: remind_after ?? rules.remind_after_ms,
    escalate_after_ms: escalate_after ?? rules.escalate_after_ms,
    escalate_to: own.escalate_to ?? rules.escalate_to,
    expire_after_ms: expire_after ?? rules.expire_after_ms,
    on_expiry: own.on_expiry ?? rules.on_expiry,
    expiry_text: rules.expiry_text,
    comment: own.comment ?? rules.comment,
    on_decline: own.on_decline ?? rules.on_decline,
  };
}
