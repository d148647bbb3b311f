import { parse } from 'yaml';
import { z } from 'zod';
import { APPROVAL_SETTINGS, policyOf } from '../../../../src/config/approval-settings.ts';
import { type CrewPolicy, parseApprover } from '../../../../src/core/policy/policy.ts';
import type { Inputs } from '../../../../src/core/values/json.ts';

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration as the crews file writes it, in milliseconds. */
export function milliseconds(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const ms = Number(number) * (UNITS[unit] ?? Number.NaN);
  if (Number.isNaN(ms)) throw new Error(`"${text}" is no duration.`);
  return ms;
}

/** Those that the rows of the table name. */
export const INPUTS = { amount: 'number', env: 'text', owner: 'text', urgent: 'yes_no' } as const;

/** Reads a policy as a crews file writes it, on one line. What is left out keeps its default, or what the crew says. */
export function readPolicy(text: string): CrewPolicy {
  const policy = READ.get(text) ?? parsePolicy(text);
  READ.set(text, policy);
  return policy;
}

/** Many rows have the same policy. */
const READ = new Map<string, CrewPolicy>();

function parsePolicy(text: string): CrewPolicy {
  const [policy = '', started = ''] = text.split(' // ');
  const quoted = policy.replaceAll(/(?<![\w"'])@[\w-]+(?=[,\]])/g, '"$&"');
  const settings = APPROVAL_SETTINGS.parse(parse(`{ ${quoted} }`));
  const [, starters = ''] = ELSEWHERE.exec(started) ?? [];
  const startedElsewhere = starters.split(' ').flatMap((name) => parseApprover(name) ?? []);
  return policyOf(settings, { startedElsewhere, inputs: INPUTS, timeZone: 'UTC' });
}

/** A run that was started elsewhere, and who counts as having started it: `elsewhere as UMARIA sam@example.com`. */
const ELSEWHERE = /^elsewhere(?: as (.+))?$/;

/** What the run was started with, as it stands behind a policy: inputs on one line; null where it was started elsewhere. */
export function startedWith(text: string): Inputs | null {
  const [, inputs = ''] = text.split(' // ');
  return ELSEWHERE.test(inputs) ? null : z.record(z.string(), z.json()).parse(parse(`{ ${inputs} }`));
}
