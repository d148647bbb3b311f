import { createHmac, randomBytes } from 'node:crypto';
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

export type CrewsAndTokens = {
  readonly crewNames: readonly string[];
  readonly tokens: Tokens;
  readonly crewTokens: Readonly<Record<string, Tokens>>;
};

/** The caller behind an `Authorization` header; undefined for a token that isn't valid there. */
export type Identify = (crew: string, authorization: string | undefined) => Caller | undefined;

/**
 * Crews that aren't here are treated as if they had the tokens that are valid for every crew. Whose token is valid for
 * some crews only, or who has none, can't tell the crews that are here from those that aren't.
 */
export function createIdentify({ crewNames, tokens, crewTokens }: CrewsAndTokens): Identify {
  const shared = callersBy(tokens);
  const own = new Map(Object.entries(crewTokens).map(([crew, each]) => [crew, callersBy(each)]));
  const elsewhere = crewNames.some((crew) => own.has(crew)) ? () => undefined : shared;
  const byCrew = new Map(crewNames.map((crew) => [crew, own.get(crew) ?? shared]));
  return (crew, authorization) => (byCrew.get(crew) ?? elsewhere)(bearerToken(authorization));
}

/** Finds the caller with a token. How long that takes says nothing about the tokens: only keyed hashes are compared. */
export function callersBy({ organisation, users = [] }: Tokens): (token: string) => Caller | undefined {
  const key = randomBytes(32);
  const hashOf = (token: string) => createHmac('sha256', key).update(token).digest('base64');
  const named = users.map(({ token, user }) => [hashOf(token), { type: 'user', name: user }] as const);
  const callers = new Map<string, Caller>([...named, [hashOf(organisation), { type: 'organisation' }]]);
  return (token) => callers.get(hashOf(token));
}

const BEARER = /^Bearer +(\S+)$/i;

/** The token in an `Authorization` header; '' if there is none. */
export function bearerToken(authorization: string | undefined): string {
  return BEARER.exec(authorization ?? '')?.[1] ?? '';
}

/** The organisation sees all executions. */
export function maySee({ caller, run, access }: { caller: Caller; run: Run; access: UserAccess }): boolean {
  if (caller.type === 'organisation' || access === 'all') return true;
  return run.startedBy.type === 'user' && run.startedBy.name === caller.name;
}
