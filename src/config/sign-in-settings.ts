import type { Crew } from '../core/policy/crew.ts';
import { stepsOf } from '../core/policy/policy.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import type { SignInSettings } from '../step-up/identity-provider.ts';
import type { Crews, PolicyPlaces } from './crews.ts';
import type { Environment } from './environment.ts';
import { whyNotSafeAddress } from './fields.ts';

// Reads the identity provider for sign-ins that confirm approvals (`step_up`), and finds rules that need one where none is set.

const REQUIRED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const ALL = [...REQUIRED, 'OIDC_ACR_VALUES', 'OIDC_AMR', 'OIDC_EMAIL_VERIFIED'] as const;

/** Reads the identity provider; null if none is set. The refusal has a sentence for every bad setting. */
export function readSignInSettings(env: Environment): Result<SignInSettings | null, string[]> {
  const set = ALL.find((name) => env[name] !== undefined);
  if (set === undefined) return ok(null);
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const wrong = issuer === undefined ? null : whyNotSafeAddress(issuer);
  const emailVerified = env.OIDC_EMAIL_VERIFIED ?? 'required';
  const isKnown = emailVerified === 'required' || emailVerified === 'assumed';
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || wrong !== null || !isKnown)
    return refuse([
      ...REQUIRED.filter((name) => env[name] === undefined).map((name) => `${name} is missing, as ${set} is set.`),
      ...(wrong === null ? [] : [`OIDC_ISSUER ${wrong}.`]),
      ...(isKnown ? [] : ['OIDC_EMAIL_VERIFIED must be required or assumed.']),
    ]);
  return ok({
    issuer,
    clientId,
    clientSecret,
    acrValues: wordsIn(env.OIDC_ACR_VALUES, /\s+/),
    amr: wordsIn(env.OIDC_AMR, /\s*,\s*/),
    emailVerified,
  });
}

function wordsIn(text: string | undefined, between: RegExp): string[] {
  return (text ?? '').split(between).filter((word) => word !== '');
}

/** Returns a sentence for each crew whose requests nobody could approve. */
export function signInProblems(settings: SignInSettings | null, { crews, places }: Crews): string[] {
  if (settings !== null) return [];
  return crews.filter(takesSignIn).map(({ name }) => {
    const place = placeOfStepUp(places.get(name));
    return `${place}step_up of ${name} takes ${REQUIRED.slice(0, -1).join(', ')} and ${REQUIRED.at(-1)}, which say where people sign in.`;
  });
}

/** Returns true if approving takes a sign-in by any of a crew's rules. */
export function takesSignIn({ approval }: Pick<Crew, 'approval'>): boolean {
  const levels = [approval, ...approval.tasks];
  return levels
    .flatMap(({ when, ...usual }) => [usual, ...when])
    .some((rules) => rules.stepUp || stepsOf(rules).some(({ stepUp }) => stepUp));
}

function placeOfStepUp(places: PolicyPlaces | undefined): string {
  const place = [...(places ?? [])].find(([path]) => path.endsWith('step_up'))?.[1];
  if (!place) return '';
  return place.line === null ? `${place.source}: ` : `${place.source}, line ${place.line}: `;
}
