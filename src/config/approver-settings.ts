import { z } from 'zod';
import { type Approver, parseApprover } from '../core/approval/policy/approver.ts';

const SHAPES =
  'must be a person (U0123ABC or maria@example.com), a user group (S0456DEF or "@leads"), channel or workspace';

const APPROVER = z.string(SHAPES).transform((name, context): Approver => {
  const approver = parseApprover(name);
  if (approver) return approver;
  context.issues.push({ code: 'custom', message: SHAPES, input: name });
  return z.NEVER;
});

/** People as a policy names them. */
export const APPROVERS = z
  .array(APPROVER, { error: 'must be a list such as [U0123ABC, "@leads"]' })
  .min(1, 'is an empty list: name who may, or leave it out');
