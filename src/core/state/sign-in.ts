import type { ProofFacts } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';

/** A person's sign-in with the company's identity provider, made to approve a request. */
export interface SignIn {
  issuer: string;
  /** The issuer's id of the person, which is unique and never changes. */
  subject: string;
  at: Millis;
  /** Strength of the authentication, in the issuer's words; null if it doesn't say. */
  acr: string | null;
}

/** Lifetime of a sign-in for a vote. The link to it lives for half of that. */
export const SIGN_IN_MS = 10 * 60_000;

/** A sign-in as it counts for a vote that is given now; null if it is too old. By the clock of the issuer, it may be yet to come. */
export function countedSignIn(signIn: SignIn, now: Millis): SignIn | null {
  return now - signIn.at > SIGN_IN_MS ? null : { ...signIn, at: Math.min(signIn.at, now) };
}

export function proofOf({ issuer, subject, at, acr }: SignIn): ProofFacts {
  return { iss: issuer, sub: subject, at, acr };
}
