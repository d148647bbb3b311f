import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/policy/policy.ts';
import { freePort } from '../../../src/setup/free-port.ts';
import type { SignInSettings } from '../../../src/step-up/identity-provider.ts';
import { checkSignIn } from '../../../src/tools/doctor/check-sign-in.ts';
import { findingLine } from '../../../src/tools/doctor/finding.ts';
import { checkPolicyScopes } from '../../../src/tools/doctor/rule-sets.ts';
import { crew } from '../../crew/crew-values.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../../support/identity-provider.ts';

const PUBLIC_URL = 'https://signoff.example.com';
const SAFE = crew({ name: 'safe', approval: { ...DEFAULT_POLICY, stepUp: true } });

let provider: TestIdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(() => provider.stop());

async function found(change: Partial<SignInSettings> = {}, crews = [SAFE]): Promise<string> {
  const settings: SignInSettings = {
    issuer: provider.issuer,
    clientId: 'signoff',
    clientSecret: 'Hush',
    acrValues: [],
    amr: [],
    emailVerified: 'required',
  };
  const line = findingLine(await checkSignIn({ ...settings, ...change }, { crews, publicUrl: PUBLIC_URL }));
  expect(line).not.toContain('Hush');
  return line;
}

it('says that the provider answers, and what has to be registered there', async () => {
  const { host } = new URL(provider.issuer);
  const redirect = `${PUBLIC_URL}/step-up/callback`;
  const unsure = `whether its client signoff has OIDC_CLIENT_SECRET, and the redirect URI ${redirect}`;
  expect(await found({ acrValues: ['mfa'] })).toBe(`✓ Identity provider: ${host} answers. Not checked: ${unsure}.`);
});

it('names an acr that the provider doesn’t know', async () => {
  const { host } = new URL(provider.issuer);
  expect(await found({ acrValues: ['mfa', 'gold'] })).toBe(
    `! Identity provider: ${host} answers, but says nothing of the acr gold. Check what it is set to.`,
  );
});

it('says that the provider doesn’t tell whether it has verified an address, where that is required', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, token_endpoint: issuer, claims_supported: ['sub', 'email'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const issuer = `http://${host}`;
  expect(await found({ issuer })).toBe(
    `! Identity provider: ${host} answers, but says nothing of email_verified, which OIDC_EMAIL_VERIFIED requires. Check what it is set to.`,
  );
  expect(await found({ issuer, emailVerified: 'assumed' })).toContain(`✓ Identity provider: ${host} answers.`);
});

it('says that nobody is asked to sign in', async () => {
  const { host } = new URL(provider.issuer);
  expect(await found({}, [crew({ name: 'letters' })])).toBe(
    `! Identity provider: ${host} answers, but no crew has step_up: true. Set it, or remove OIDC_ISSUER.`,
  );
});

const ADVICE = 'Check OIDC_ISSUER, DNS, the firewall and the certificate.';

it('says that nothing answers', async () => {
  const host = `127.0.0.1:${await freePort()}`;
  expect(await found({ issuer: `http://${host}` })).toBe(
    `✗ Identity provider: ${host} gives no usable answer to discovery (no answer). ${ADVICE}`,
  );
});

it('says that what answers is another issuer, or none', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer: 'https://other.example.com' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  expect(await found({ issuer: `http://${host}` })).toBe(
    `✗ Identity provider: ${host} gives no usable answer to discovery (OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED). ${ADVICE}`,
  );
});

it('says that Slack has to tell people’s addresses', () => {
  const scopes = new Set(['users:read']);
  expect(checkPolicyScopes([SAFE], { scopes }).map(findingLine)).toEqual([
    '✗ Slack scope users:read.email: missing, but safe has step_up. Add it under OAuth & Permissions and reinstall the app.',
  ]);
  expect(checkPolicyScopes([SAFE], { scopes: new Set([...scopes, 'users:read.email']) })).toEqual([]);
});
