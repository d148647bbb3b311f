import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';
import { freePort } from '../../src/setup/free-port.ts';

const CLIENT = { id: 'signoff', secret: 'the-secret-of-the-client-at-the-provider' };

/** What the provider says of those who sign in. */
interface Saying {
  acr?: string | undefined;
  amr: string[];
  /** Left out if undefined. */
  emailVerified?: boolean | string | undefined;
  /** How long ago they have signed in, whatever was asked for. */
  agoMs: number;
  /** Whether its keys are those that it signs with. */
  keys: 'own' | 'of somebody else';
}

const USUALLY: Saying = { acr: 'mfa', amr: ['pwd', 'otp'], emailVerified: true, agoMs: 0, keys: 'own' };

interface Kind {
  /** Where it tells people's addresses. */
  tells?: 'userinfo' | 'id-token';
  /** How it takes the secret of its client. */
  takes?: 'client_secret_basic' | 'client_secret_post';
}

/** A real OpenID provider, on whose page people sign in by their address alone. */
export interface TestIdentityProvider {
  issuer: string;
  secret: string;
  /** What a bot needs to know of it. */
  env: Record<string, string>;
  /** From now on, it says this of those who sign in. */
  says(change: Partial<Saying>): void;
  /** Until it comes back, nothing answers at its address. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export async function startIdentityProvider({
  tells = 'userinfo',
  takes = 'client_secret_basic',
}: Kind = {}): Promise<TestIdentityProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let saying = USUALLY;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${issuer}/unused`],
        token_endpoint_auth_method: takes,
      },
    ],
    clientAuthMethods: [takes],
    conformIdTokenClaims: tells === 'userinfo',
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'] },
    acrValues: ['mfa', 'pwd'],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId, email: accountId, email_verified: saying.emailVerified }),
    }),
    ttl: { Grant: 600, Interaction: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    async loadExistingGrant({ oidc: { provider: own, client, session } }: GrantContext) {
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  // The tests' bots listen at any port.
  provider.Client.prototype.redirectUriAllowed = (uri) => uri.endsWith('/step-up/callback');
  const answer = provider.callback();

  async function onRequest(request: IncomingMessage, response: ServerResponse) {
    if (request.url === '/jwks' && saying.keys !== 'own') {
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ keys: [keyOfSomebodyElse()] }));
    }
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(LOGIN_PAGE);
    }
    const form = new URLSearchParams(await text(request));
    if (form.has('cancel')) {
      const refusal = { error: 'access_denied', error_description: 'End-User aborted interaction' };
      return provider.interactionFinished(request, response, refusal);
    }
    const { acr, amr, agoMs } = saying;
    const ts = Math.floor((Date.now() - agoMs) / 1_000);
    const login = { accountId: form.get('address'), amr, ts, ...(acr !== undefined && { acr }) };
    return provider.interactionFinished(request, response, { login });
  }

  const listen = () => {
    const server = createServer((request, response) => void onRequest(request, response));
    return new Promise<typeof server>((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
  };
  let server = await listen();
  const goAway = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    issuer,
    secret: CLIENT.secret,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    says(change) {
      saying = { ...USUALLY, ...change };
    },
    goAway,
    async comeBack() {
      server = await listen();
    },
    stop: goAway,
  };
}

/** By the name of the provider's own. */
function keyOfSomebodyElse(): object {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return { ...publicKey.export({ format: 'jwk' }), kid: 'keystore-CHANGE-ME', use: 'sig', alg: 'RS256' };
}

interface GrantContext {
  oidc: {
    provider: { Grant: new (grant: object) => { addOIDCScope(scope: string): void; save(): Promise<string> } };
    client: { clientId: string };
    session: { accountId: string };
  };
}

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Sign in</title><main><h1>Sign in</h1>
<form method="post"><label>Address <input name="address"></label>
<button>Sign in</button> <button name="cancel" value="yes">Cancel</button></form></main></html>`;
