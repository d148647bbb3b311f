import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  createIdentityProvider,
  ProviderUnavailable,
  type SignInSettings,
} from '../../src/step-up/identity-provider.ts';
import { silent } from '../crew/crew-values.ts';
import { openHeadlessBrowser } from '../support/headless-browser.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';

const FLOW = { state: 's'.repeat(43), nonce: 'n'.repeat(43), verifier: 'v'.repeat(43) };
const MARIA = 'Maria@sandbox.example';

interface Wanted {
  kind?: Parameters<typeof startIdentityProvider>[0];
  secret?: string;
  acrValues?: string[];
  emailVerified?: SignInSettings['emailVerified'];
}

/** Where browsers come back to, which shows nothing. */
async function startCallback(): Promise<string> {
  const server = createServer((_, response) => response.end('back'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/step-up/callback`;
}

async function signedIn(
  { kind, secret, acrValues = ['mfa'], emailVerified = 'required' }: Wanted = {},
  change: object = {},
) {
  const real = await startIdentityProvider(kind);
  onTestFinished(() => real.stop());
  const settings = {
    issuer: real.issuer,
    clientId: 'signoff',
    clientSecret: secret ?? real.secret,
    acrValues,
    amr: [],
    emailVerified,
  };
  const provider = createIdentityProvider(settings, { redirectUri: await startCallback(), log: silent });
  const browser = openHeadlessBrowser();
  const address = await provider.signInUrl(FLOW);
  await browser.signIn(address.href, MARIA);
  const { search } = new URL(browser.history.at(-1) ?? '');
  const come = () => provider.signedIn(search.slice(1), { ...FLOW, ...change }, { since: Date.now() });
  return { real, address, come };
}

const SIGNED_IN = { ok: true, value: { signIn: { subject: MARIA, acr: 'mfa' }, email: MARIA.toLowerCase() } };

describe('a sign-in', () => {
  it('is asked for anew, with PKCE, and as strong as it has to be', async () => {
    const { address, real } = await signedIn({ acrValues: ['mfa', 'pwd'] });
    expect(address.origin).toBe(real.issuer);
    const { code_challenge: challenge, redirect_uri: _, ...asked } = Object.fromEntries(address.searchParams);
    expect(challenge).not.toBe(FLOW.verifier);
    expect(asked).toEqual({
      client_id: 'signoff',
      response_type: 'code',
      scope: 'openid email',
      state: FLOW.state,
      nonce: FLOW.nonce,
      code_challenge_method: 'S256',
      prompt: 'login',
      max_age: '0',
      acr_values: 'mfa pwd',
    });
  });

  it.each([
    { tells: 'userinfo', takes: 'client_secret_basic' },
    { tells: 'id-token', takes: 'client_secret_basic' },
    { tells: 'userinfo', takes: 'client_secret_post' },
  ] as const)('says who it was at a provider that tells it by $tells and takes $takes', async (kind) => {
    const { come, real } = await signedIn({ kind });
    const before = Date.now();
    const found = await come();
    expect(found).toMatchObject(SIGNED_IN);
    if (!found.ok) return;
    expect(found.value.signIn.issuer).toBe(real.issuer);
    expect(Math.abs(found.value.signIn.at - before)).toBeLessThan(60_000);
  });

  it.each([
    ['another nonce', { nonce: 'o'.repeat(43) }],
    ['another browser', { verifier: 'o'.repeat(43) }],
    ['another state', { state: 'o'.repeat(43) }],
  ])('is none with %s', async (_, change) => {
    const { come } = await signedIn({}, change);
    expect(await come()).toEqual({ ok: false, refusal: 'not-verified' });
  });

  it.each([
    ['required', 'userinfo', true, true],
    ['required', 'id-token', 'true', true],
    ['required', 'userinfo', undefined, false],
    ['required', 'id-token', undefined, false],
    ['required', 'id-token', 'perhaps', false],
    ['required', 'userinfo', false, false],
    ['assumed', 'userinfo', undefined, true],
    ['assumed', 'id-token', undefined, true],
    ['assumed', 'userinfo', 'false', false],
    ['assumed', 'id-token', false, false],
  ] as const)('where a verified address is %s, by %s with email_verified %s, counts: %s', async (...row) => {
    const [emailVerified, tells, says, counts] = row;
    const { come, real } = await signedIn({ kind: { tells }, emailVerified });
    real.says({ emailVerified: says });
    expect(await come()).toMatchObject(counts ? SIGNED_IN : { ok: false, refusal: 'no-address' });
  });

  it('is none for a client with another secret', async () => {
    const { come } = await signedIn({ secret: 'another' });
    expect(await come()).toEqual({ ok: false, refusal: 'not-verified' });
  });

  it('is none with the signature of somebody else', async () => {
    const { come, real } = await signedIn();
    real.says({ keys: 'of somebody else' });
    expect(await come()).toEqual({ ok: false, refusal: 'not-verified' });
  });

  it('is none the second time', async () => {
    const { come } = await signedIn();
    expect(await come()).toMatchObject(SIGNED_IN);
    expect(await come()).toEqual({ ok: false, refusal: 'not-verified' });
  });

  it('waits for a provider that is away', async () => {
    const { come, real } = await signedIn();
    await real.goAway();
    await expect(come()).rejects.toThrow(ProviderUnavailable);
  });
});
