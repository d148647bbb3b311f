import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller, Run } from '../executions/run.ts';

export type Tokens = {
  readonly organisation: string;
  /** User tokens by user name. */
  readonly users?: Readonly<Record<string, string>>;
};

const BEARER = /^Bearer +(\S+)$/i;

/** The caller behind an `Authorization` header; undefined for an unknown token. Runs in constant time. */
export function identify(authorization: string | undefined, tokens: Tokens): Caller | undefined {
  const given = BEARER.exec(authorization ?? '')?.[1] ?? '';
  const organisation = sameSecret(given, tokens.organisation);
  const users = Object.entries(tokens.users ?? {}).filter(([, token]) => sameSecret(given, token));
  if (organisation) return { type: 'organisation' };
  const name = users[0]?.[0];
  return name === undefined ? undefined : { type: 'user', name };
}

/** A user sees and resumes only the executions they started; the organisation sees all of them. */
export function maySee(caller: Caller, run: Run): boolean {
  if (caller.type === 'organisation') return true;
  return run.startedBy.type === 'user' && run.startedBy.name === caller.name;
}

function sameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return secret !== '' && timingSafeEqual(digest(given), digest(secret));
}
