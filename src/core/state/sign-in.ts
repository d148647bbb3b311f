import type { ProofFacts } from '../ledger/entry.ts';
import type { Millis } from '../values/time.ts';

/** That a person has signed in with the company's identity provider, in order to approve a request. */
export interface SignIn {
  issuer: string;
  /** Whom the issuer calls them: it names nobody else by it, and never changes it. */
  subject: string;
  at: Millis;
  /** How well they proved who they are, in the issuer's words; null if it doesn't say. */
  acr: string | null;
}

/** How long a sign-in is good for a vote: the link to it lives for half of that. */
export const SIGN_IN_MS = 10 * 60_000;

/** A sign-in as it counts for a vote that is given now; null if it is too old. By the clock of the issuer, it may be yet to come. */
export function countedSignIn(signIn: SignIn, now: Millis): SignIn | null {
  return now - signIn.at > SIGN_IN_MS ? null : { ...signIn, at: Math.min(signIn.at, now) };
}

export function proofOf({ issuer, subject, at, acr }: SignIn): ProofFacts {
  return { iss: issuer, sub: subject, at, acr };
}
