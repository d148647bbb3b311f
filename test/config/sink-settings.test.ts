import { expect, it } from 'vitest';
import { readSinkSettings } from '../../src/config/sink-settings.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'Hush-a-key' };
const settingsOf = (address: string, others = {}) => readSinkSettings({ AUDIT_SINK: address, ...KEYS, ...others });

it('is optional', () => {
  expect(readSinkSettings({})).toEqual({ ok: true, value: null });
  expect(readSinkSettings(KEYS)).toEqual({ ok: true, value: null });
});

it.each([
  'https://siem.example.com/hook',
  'https://siem.example.com:8088/hook?token=abc&x=1',
  'https://collector:p%40ss@siem.example.com/',
  'http://localhost:9000/hook',
  'http://127.0.0.1:9000/hook',
  'http://[::1]:9000/hook',
])('takes webhooks at %s', (url) => {
  expect(settingsOf(url)).toEqual({ ok: true, value: { kind: 'webhook', url } });
});

it.each([
  [
    's3://audit?region=eu-central-1',
    { bucketUrl: 'https://audit.s3.eu-central-1.amazonaws.com', prefix: '', region: 'eu-central-1' },
  ],
  [
    's3://audit.example.com/signoff/ledger/?region=eu-central-1',
    { bucketUrl: 'https://s3.eu-central-1.amazonaws.com/audit.example.com', prefix: 'signoff/ledger/' },
  ],
  [
    's3://audit/signoff?endpoint=https://storage.example.com/&region=auto',
    { bucketUrl: 'https://storage.example.com/audit', prefix: 'signoff/', region: 'auto' },
  ],
  ['s3://audit?region=eu-west-1&endpoint=http://localhost:9000', { bucketUrl: 'http://localhost:9000/audit' }],
])('takes storage at %s', (address, settings) => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'Hush-a-key', sessionToken: null };
  expect(settingsOf(address)).toMatchObject({ ok: true, value: { kind: 's3', ...settings, credentials } });
});

it('takes the region and a session token from the environment', () => {
  expect(settingsOf('s3://audit', { AWS_REGION: 'eu-north-1', AWS_SESSION_TOKEN: 'token' })).toMatchObject({
    value: { region: 'eu-north-1', credentials: { sessionToken: 'token' } },
  });
  expect(settingsOf('s3://audit?region=eu-west-1', { AWS_REGION: 'eu-north-1' })).toMatchObject({
    value: { region: 'eu-west-1' },
  });
});

const FORMS = 'https://siem.example.com/hook or s3://bucket/prefix?region=eu-central-1';

it.each<[string, object, string[]]>([
  ['hush', {}, [`AUDIT_SINK must be an address such as ${FORMS}.`]],
  ['ftp://hush.example.com', {}, [`AUDIT_SINK must be an address such as ${FORMS}.`]],
  ['file:///etc/hush', {}, [`AUDIT_SINK must be an address such as ${FORMS}.`]],
  ['http://hush.example.com', {}, ['AUDIT_SINK must start with https://, except on this machine itself.']],
  ['https://a:%hush@example.com', {}, ['AUDIT_SINK has a % in its user name or password that must be written as %25.']],
  ['s3://Hush/x?region=eu-west-1', {}, ['AUDIT_SINK must name a bucket, as in s3://bucket/prefix.']],
  ['s3://hush:hush@audit?region=eu-west-1', {}, ['AUDIT_SINK must name a bucket, as in s3://bucket/prefix.']],
  ['s3:///x?region=eu-west-1', {}, ['AUDIT_SINK must name a bucket, as in s3://bucket/prefix.']],
  [
    's3://audit/h%20ush?region=eu-west-1',
    {},
    ['AUDIT_SINK may have only letters, digits, /, -, _ and . in its prefix.'],
  ],
  ['s3://audit//hush?region=eu-west-1', {}, ['AUDIT_SINK may have only letters, digits, /, -, _ and . in its prefix.']],
  ['s3://audit?region=eu-west-1&hush=1', {}, ['AUDIT_SINK takes only region and endpoint after its ?.']],
  ['s3://audit', {}, ['AUDIT_SINK needs ?region=… or AWS_REGION.']],
  ['s3://audit?region=hush/', {}, ['The region of AUDIT_SINK must be one such as us-east-1.']],
  [
    's3://audit?region=eu-west-1&endpoint=http://hush.example.com',
    {},
    ['The endpoint of AUDIT_SINK must start with https://, except on this machine itself.'],
  ],
  [
    's3://audit?region=eu-west-1&endpoint=https://hush:hush@example.com',
    {},
    ['The endpoint of AUDIT_SINK must not contain a user name or a password.'],
  ],
  [
    's3://audit',
    { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
    [
      'AUDIT_SINK needs ?region=… or AWS_REGION.',
      'AWS_ACCESS_KEY_ID is missing, which AUDIT_SINK needs.',
      'AWS_SECRET_ACCESS_KEY is missing, which AUDIT_SINK needs.',
    ],
  ],
])('refuses %s, and says why without it', (address, others, refusal) => {
  expect(settingsOf(address, others)).toEqual({ ok: false, refusal });
});
