import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { SignIn } from '../core/state/sign-in.ts';
import { ok, type Result, refuse } from '../core/values/result.ts';
import type { Millis } from '../core/values/time.ts';

// The company's identity provider: OpenID Connect's authorization code flow with PKCE, and the check that a person has signed in anew and
// strongly enough. https://openid.net/specs/openid-connect-core-1_0.html

/** The identity provider, and what a sign-in there has to prove. */
export interface SignInSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The allowed values of a sign-in's `acr`; empty for any. */
  acrValues: readonly string[];
  /** Values that `amr` must contain. */
  amr: readonly string[];
  /** `assumed`: an address counts unless the provider says that it hasn't verified it. */
  emailVerified: 'required' | 'assumed';
}

/** Values that only the browser that follows a link brings back with its sign-in. */
export interface Flow {
  state: string;
  nonce: string;
  /** The verifier of PKCE. */
  verifier: string;
}

/** The person who has signed in, as the provider says. */
export interface SignedIn {
  signIn: SignIn;
  /** Lower case. */
  email: string;
}

/**
 * The reason why a sign-in proves nothing. `cancelled`: the provider says that there was none. `not-verified`: the answer is wrong.
 * `not-fresh`: it doesn't say that the person has signed in since the click. `too-weak`: `acr` or `amr` isn't enough. `no-address`: it
 * has no e-mail address, or doesn't say that the address is verified.
 */
export type SignInFailure = 'cancelled' | 'not-verified' | 'not-fresh' | 'too-weak' | 'no-address';

/** Thrown if the provider gives no answer. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
  /** The reason without secrets. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The identity provider gave no usable answer (${reason}).`);
    this.reason = reason;
  }
}

export interface IdentityProvider {
  /** Returns the address for the browser. Throws `ProviderUnavailable`. */
  signInUrl(flow: Flow): Promise<URL>;
  /** Checks the query with which a browser comes back. Throws `ProviderUnavailable`. */
  signedIn(query: string, flow: Flow, options: { since: Millis }): Promise<Result<SignedIn, SignInFailure>>;
}

/** Timeout of each call to the provider. */
const TIMEOUT_S = 5;
/** Lifetime of the provider's metadata, which hardly ever change. Keys are fetched anew when an unknown one has signed. */
const KNOWN_MS = 60 * 60_000;
/** Allowed difference of the clocks. https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation leaves it to us. */
const SKEW_MS = 30_000;
/** Makes the provider say when the person signed in. Whether that was after the click is checked below. */
const MAX_AGE_S = 600;

/** @param redirectUri the address to which the provider sends browsers back */
export function createIdentityProvider(
  settings: SignInSettings,
  { redirectUri, log }: { redirectUri: string; log: Logger },
): IdentityProvider {
  let cached: { configuration: Promise<Configuration>; until: number } | null = null;

  function configuration(): Promise<Configuration> {
    if (cached && performance.now() < cached.until) return cached.configuration;
    const discovered = discover(settings);
    cached = { configuration: discovered, until: performance.now() + KNOWN_MS };
    discovered.catch(() => {
      cached = null;
    });
    return discovered;
  }

  return {
    async signInUrl({ state, nonce, verifier }) {
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        // Some providers follow only one of them.
        prompt: 'login',
        max_age: '0',
        ...(settings.acrValues.length > 0 && { acr_values: settings.acrValues.join(' ') }),
      });
    },
    async signedIn(query, { state, nonce, verifier }, { since }) {
      const config = await configuration();
      const answer = new URL(`${redirectUri}?${query}`);
      const tokens = await exchange(log, () =>
        authorizationCodeGrant(config, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          maxAge: MAX_AGE_S,
        }),
      );
      if (!tokens.ok) return tokens;
      const claims = CLAIMS.safeParse(tokens.value.claims()).data;
      if (!claims) return refuse('not-verified');
      const at = claims.auth_time * 1_000;
      if (at < since - SKEW_MS) return refuse('not-fresh');
      if (!isStrongEnough(claims, settings)) return refuse('too-weak');
      const signIn: SignIn = { issuer: claims.iss, subject: claims.sub, at, acr: claims.acr };
      const said = verifiedEmail(claims, settings);
      if (said !== null) return ok({ signIn, email: said });
      if (claims.email_verified === false) return refuse('no-address');
      // Many providers give the address only here. https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims
      const user = await exchange(log, () => fetchUserInfo(config, tokens.value.access_token, claims.sub));
      if (!user.ok) return user;
      const email = verifiedEmail(ADDRESS.parse(user.value), settings);
      return email === null ? refuse('no-address') : ok({ signIn, email });
    },
  };
}

/** Some providers don't say whether an address is verified, some say it as text. */
const ADDRESS = z.object({
  email: z.string().nullable().catch(null),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(false),
});

/** https://openid.net/specs/openid-connect-core-1_0.html#IDToken */
const CLAIMS = ADDRESS.extend({
  iss: z.string(),
  sub: z.string().max(255),
  auth_time: z.int().nonnegative(),
  acr: z
    .string()
    .max(255)
    .nullish()
    .transform((acr) => acr ?? null),
  amr: z.array(z.string()).catch([]),
});

/** Fetches the provider's metadata. Throws `ProviderUnavailable`. */
export async function discover({ issuer, clientId, clientSecret }: SignInSettings): Promise<Configuration> {
  const server = new URL(issuer);
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : [];
  try {
    return await discovery(server, clientId, undefined, clientAuth(clientSecret), {
      execute: [enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_S,
    });
  } catch (error) {
    throw new ProviderUnavailable(codeOf(error));
  }
}

/** Uses HTTP Basic, the default, unless the provider takes only the secret in the body. */
function clientAuth(secret: string): ClientAuth {
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const authenticate = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    return authenticate(server, ...rest);
  };
}

/** Drops the cause of an error, which may contain codes and tokens. */
async function exchange<Value>(log: Logger, call: () => Promise<Value>): Promise<Result<Value, SignInFailure>> {
  try {
    return ok(await call());
  } catch (error) {
    if (error instanceof AuthorizationResponseError) return refuse('cancelled');
    if (isAway(error)) throw new ProviderUnavailable(codeOf(error));
    log.warn({ code: codeOf(error) }, 'the answer of the identity provider is none to rely on');
    return refuse('not-verified');
  }
}

function isAway(error: unknown): boolean {
  // `fetch` fails with a TypeError; an answer of 500 isn't one of OpenID Connect.
  if (error instanceof TypeError) return true;
  const status = error instanceof Error && error.cause instanceof Response ? error.cause.status : 0;
  return status >= 500 || codeOf(error) === 'OAUTH_TIMEOUT';
}

/** Returns the code of an error, which is safe to log. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'no answer';
}

function isStrongEnough({ acr, amr }: z.infer<typeof CLAIMS>, settings: SignInSettings): boolean {
  const isAcrTaken = settings.acrValues.length === 0 || settings.acrValues.some((each) => each === acr);
  return isAcrTaken && settings.amr.every((each) => amr.includes(each));
}

function verifiedEmail(
  { email, email_verified: isVerified }: z.infer<typeof ADDRESS>,
  { emailVerified }: SignInSettings,
): string | null {
  return email !== null && (isVerified ?? emailVerified === 'assumed') ? email.toLowerCase() : null;
}
