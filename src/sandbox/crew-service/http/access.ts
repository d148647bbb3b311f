import { createHash, timingSafeEqual } from 'node:crypto';
import type { Caller, Run } from '../executions/run.ts';

export type UserToken = { readonly token: string; readonly user: string };

/** Which executions a user may see and resume: those they started, or all of the crew. The specification leaves it open. */
type UserAccess = 'own' | 'all';

export type Tokens = {
  readonly organisation: string;
  /** A user may have several. */
  readonly users?: readonly UserToken[];
  /** Default `own`. */
  readonly userAccess?: UserAccess;
};

const BEARER = /^Bearer +(\S+)$/i;

/** The token in an `Authorization` header; '' if there is none. */
export function bearerToken(authorization: string | undefined): string {
  return BEARER.exec(authorization ?? '')?.[1] ?? '';
}

/** The caller behind an `Authorization` header; undefined for an unknown token. Runs in constant time. */
export function identify(authorization: string | undefined, tokens: Tokens): Caller | undefined {
  const given = bearerToken(authorization);
  const organisation = sameSecret(given, tokens.organisation);
  const users = (tokens.users ?? []).filter(({ token }) => sameSecret(given, token));
  if (organisation) return { type: 'organisation' };
  const name = users[0]?.user;
  return name === undefined ? undefined : { type: 'user', name };
}

/** The organisation sees all executions. */
export function maySee({ caller, run, access }: { caller: Caller; run: Run; access: UserAccess }): boolean {
  if (caller.type === 'organisation' || access === 'all') return true;
  return run.startedBy.type === 'user' && run.startedBy.name === caller.name;
}

function sameSecret(given: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return secret !== '' && timingSafeEqual(digest(given), digest(secret));
}
