// The access to the service: its tokens, those that were revoked, and the answer to a caller without a valid one.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
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

type CrewsAndTokens = {
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
  const userCallers = users.map(({ token, user }) => [hashOf(token), { type: 'user', name: user }] as const);
  const callers = new Map<string, Caller>([...userCallers, [hashOf(organisation), { type: 'organisation' }]]);
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

/** The values that an `Authorization` header can hold after `Bearer`. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** Throws an error that names everything that is wrong with the tokens, but none of them. */
export function checkTokens({ crewNames, tokens, crewTokens }: CrewsAndTokens): void {
  const own = Object.entries(crewTokens);
  const problems = [
    ...problemsOf(tokens, ''),
    ...own.flatMap(([crew, each]) => problemsOf(each, ` of the crew "${crew}"`)),
    ...own
      .filter(([crew]) => !crewNames.includes(crew))
      .map(([crew]) => `There are tokens for "${crew}", but no such crew.`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function problemsOf({ organisation, users = [] }: Tokens, where: string): string[] {
  const tokensWithNames = [
    { owner: `The organisation's token${where}`, token: organisation },
    ...users.map(({ user, token }) => ({ owner: `A user token of ${user}${where}`, token })),
  ];
  return tokensWithNames.flatMap(({ owner, token }, index) => {
    if (!HEADER_VALUE.test(token)) return [`${owner} must be visible ASCII characters without spaces.`];
    const other = tokensWithNames.slice(0, index).find((one) => one.token === token);
    return other ? [`${owner} is the same as another one: nobody could tell who calls.`] : [];
  });
}

/** The `WWW-Authenticate` header of a 401 or 403: https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export function challenge(authorization: string | undefined): Readonly<Record<string, string>> {
  // A request without credentials gets no error name (section 3.1).
  return { 'www-authenticate': authorization === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"` };
}

const CHALLENGE = 'Bearer realm="crew service"';

/** The token is valid, but its rights don't suffice. */
export const NEEDS_ORGANISATION = { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` };

/** The user tokens that are no longer valid, kept in Redis by their hashes. */
export interface Revocations {
  revoke(token: string): Promise<void>;
  includes(token: string): Promise<boolean>;
}

export function createRevocations(redis: Redis, prefix: string): Revocations {
  const key = `${prefix}revoked-tokens`;
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');
  return {
    async revoke(token) {
      await redis.sadd(key, hashOf(token));
    },
    includes: async (token) => (await redis.sismember(key, hashOf(token))) === 1,
  };
}
