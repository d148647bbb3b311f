import { parse } from 'yaml';
import { APPROVAL_SETTINGS, policyOf } from '../../../../../src/config/approval-settings.ts';
import type { CrewPolicy } from '../../../../../src/core/approval/policy/policy.ts';

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
  const quoted = text.replaceAll(/(?<![\w"'])@[\w-]+(?=[,\]])/g, '"$&"');
  const settings = APPROVAL_SETTINGS.parse(parse(`{ ${quoted} }`));
  return policyOf(settings, { startedElsewhere: [], inputs: INPUTS, timeZone: 'UTC' });
}
