import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller, Run } from '../executions/run.ts';

export type Tokens = {
  readonly organisation: string;
  /** User tokens by the name of their user. */
  readonly users?: Readonly<Record<string, string>>;
};

const BEARER = /^Bearer +(\S+)$/i;

/** Who sends this `Authorization` header; undefined where its token is none of ours. Takes the same time for any token. */
export function identify(authorization: string | undefined, tokens: Tokens): Caller | undefined {
  const given = BEARER.exec(authorization ?? '')?.[1] ?? '';
  const organisation = sameSecret(given, tokens.organisation);
  const users = Object.entries(tokens.users ?? {}).filter(([, token]) => sameSecret(given, token));
  if (organisation) return { type: 'organisation' };
  const name = users[0]?.[0];
  return name === undefined ? undefined : { type: 'user', name };
}

/** A user token sees and resumes only the executions that it started; the organisation's sees all. */
export function maySee(caller: Caller, run: Run): boolean {
  if (caller.type === 'organisation') return true;
  return run.startedBy.type === 'user' && run.startedBy.name === caller.name;
}

function sameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return secret !== '' && timingSafeEqual(digest(given), digest(secret));
}
