import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { readSignInSettings } from '../../src/config/sign-in-settings.ts';

const GIVEN = {
  OIDC_ISSUER: 'https://login.example.com/realms/acme',
  OIDC_CLIENT_ID: 'signoff',
  OIDC_CLIENT_SECRET: 'Hush-a-secret',
};

it('are optional', () => {
  expect(readSignInSettings({})).toEqual({ ok: true, value: null });
});

it('say where people sign in, and how well', () => {
  const value = { issuer: GIVEN.OIDC_ISSUER, clientId: 'signoff', clientSecret: 'Hush-a-secret' };
  expect(readSignInSettings(GIVEN)).toEqual({
    ok: true,
    value: { ...value, acrValues: [], amr: [], emailVerified: 'required' },
  });
  const demanding = {
    ...GIVEN,
    OIDC_ACR_VALUES: ' urn:mfa  phr ',
    OIDC_AMR: 'mfa, hwk',
    OIDC_EMAIL_VERIFIED: 'assumed',
  };
  expect(readSignInSettings(demanding)).toEqual({
    ok: true,
    value: { ...value, acrValues: ['urn:mfa', 'phr'], amr: ['mfa', 'hwk'], emailVerified: 'assumed' },
  });
});

it.each(['http://localhost:8080', 'http://127.0.0.1:8080/realm'])('take an issuer on this machine: %s', (issuer) => {
  expect(readSignInSettings({ ...GIVEN, OIDC_ISSUER: issuer }).ok).toBe(true);
});

it.each<[string, object, string[]]>([
  [
    'an issuer without TLS',
    { OIDC_ISSUER: 'http://login.example.com' },
    ['OIDC_ISSUER must start with https://, except on this machine itself.'],
  ],
  [
    'an issuer that is no address',
    { OIDC_ISSUER: 'login' },
    ['OIDC_ISSUER must be an address such as https://example.com.'],
  ],
  [
    'an issuer with a password',
    { OIDC_ISSUER: 'https://a:Hush@login.example.com' },
    ['OIDC_ISSUER must not contain a user name or a password.'],
  ],
  [
    'another word for who verifies addresses',
    { OIDC_EMAIL_VERIFIED: 'Hush' },
    ['OIDC_EMAIL_VERIFIED must be required or assumed.'],
  ],
  ['no secret', { OIDC_CLIENT_SECRET: undefined }, ['OIDC_CLIENT_SECRET is missing, as OIDC_ISSUER is set.']],
  [
    'demands without a provider',
    { OIDC_ISSUER: undefined, OIDC_CLIENT_ID: undefined, OIDC_CLIENT_SECRET: undefined, OIDC_AMR: 'mfa' },
    [
      'OIDC_ISSUER is missing, as OIDC_AMR is set.',
      'OIDC_CLIENT_ID is missing, as OIDC_AMR is set.',
      'OIDC_CLIENT_SECRET is missing, as OIDC_AMR is set.',
    ],
  ],
])('refuse %s, and repeat no value', (_, change, refusal) => {
  expect(readSignInSettings({ ...GIVEN, ...change })).toEqual({ ok: false, refusal });
  expect(refusal.join()).not.toContain('Hush');
});

const ENVIRONMENT = {
  PUBLIC_URL: 'https://signoff.example.com',
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'secret',
  REDIS_URL: 'redis://localhost',
  APP_SECRET: 'a-secret-of-more-than-32-characters',
};

async function problemsOf(crews: string, env: object = {}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'signoff-crews-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'crews.yml');
  await writeFile(file, crews);
  const config = readConfig({ ...ENVIRONMENT, CREWS_FILE: file, ...env });
  return config.ok ? [] : config.refusal;
}

const crew = (name: string, approval: string) => `
  - name: ${name}
    base_url: https://crew.example.com
    token: t
    inputs: { amount: { type: number } }
    approval:
      ${approval}`;

it.each([
  ['a crew', 'step_up: true', 9],
  ['a task', 'tasks: [{ match: publish, step_up: true }]', 9],
  ['a condition', 'when: [{ if: "inputs.amount > 5", step_up: true }]', 9],
])('are demanded by the start where %s takes a sign-in', async (_, approval, line) => {
  const file = `crews:${crew('letters', 'quorum: 1').replaceAll('\n', '\n')}${crew('safe', approval)}`;
  const [problem = '', ...others] = await problemsOf(file);
  expect(others).toEqual([]);
  expect(problem).toBe(
    `crews.yml, line ${line + 4}: step_up of safe takes OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, which say where people sign in.`,
  );
  expect(await problemsOf(file, GIVEN)).toEqual([]);
});

it('are not demanded where nothing takes a sign-in', async () => {
  expect(await problemsOf(`crews:${crew('safe', 'step_up: false')}`)).toEqual([]);
});
