// The commands of `npm run policy`, and their arguments.

import { POLICY_OPTIONS, type PolicyQuestion } from './explain-policy.ts';

export const OPTIONS = {
  ...POLICY_OPTIONS,
  crews: { type: 'string' },
  unverified: { type: 'boolean' },
  fail: { type: 'boolean' },
} as const;

/** `crews`: the path of a crews file; null for that of the settings. */
export type PolicyCommand =
  | { kind: 'explain'; question: PolicyQuestion; crews: string | null }
  | { kind: 'test'; file: string; crews: string | null }
  | { kind: 'replay'; file: string; crews: string | null; isVerified: boolean; fails: boolean };

interface Arguments {
  values: PolicyQuestion & {
    readonly crews?: string | undefined;
    readonly unverified?: boolean | undefined;
    readonly fail?: boolean | undefined;
  };
  positionals: readonly string[];
}

/** Returns null if the arguments don't fit together. */
export function parsePolicyCommand({ values, positionals }: Arguments): PolicyCommand | null {
  const [kind = '', file, ...rest] = positionals;
  const { crews = null, unverified = false, fail = false, ...question } = values;
  const fits = (allowed: readonly string[]) =>
    rest.length === 0 && Object.keys(values).every((name) => allowed.includes(name));
  if (kind === 'explain' && file === undefined && fits([...Object.keys(POLICY_OPTIONS), 'crews']))
    return { kind, question, crews };
  if (kind === 'test' && file !== undefined && fits(['crews'])) return { kind, file, crews };
  if (kind === 'replay' && file !== undefined && fits(['crews', 'unverified', 'fail']))
    return { kind, file, crews, isVerified: !unverified, fails: fail };
  return null;
}
