import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortened } from '../../../src/core/values/cut.ts';
import { countMarks, maskSecrets, unmask } from '../../../src/core/values/secrets.ts';
import { maskSlowly } from '../../../src/slack/api/masked-outputs.ts';
import { ALPHANUMERIC, privateKey, random } from '../../support/made-up-secrets.ts';

const UPPER = ALPHANUMERIC.replace(/[a-z]/g, '');
const HEX = '0123456789abcdef';
const base64url = (length: number) => randomBytes(length).toString('base64url');

const jwt = () => ['{"alg":"HS256"}', '{"sub":"1234567890"}'].map((part) => Buffer.from(part).toString('base64url'));

const KINDS: [kind: string, make: () => string][] = [
  ['AWS-key', () => `AKIA${random(16, UPPER)}`],
  ['AWS-key', () => `ASIA${random(16, UPPER)}`],
  ...['p', 'o', 'u', 's', 'r'].map((each): [string, () => string] => ['GitHub-token', () => `gh${each}_${random(36)}`]),
  ['GitHub-token', () => `github_pat_${random(22)}_${random(59)}`],
  ['GitLab-token', () => `glpat-${random(20)}`],
  ['Slack-token', () => `xoxb-${random(12, '0123456789')}-${random(13, '0123456789')}-${random(24)}`],
  ['Slack-token', () => `xapp-1-A${random(10, UPPER)}-${random(13, '0123456789')}-${random(64, HEX)}`],
  ['API-key', () => `sk-proj-${random(74)}T3BlbkFJ${random(74)}`],
  ['API-key', () => `sk-ant-api03-${random(93)}AA`],
  ['API-key', () => `sk-${random(48)}`],
  ['API-key', () => `npm_${random(36)}`],
  ['API-key', () => `hf_${random(34)}`],
  ['API-key', () => `gsk_${random(52)}`],
  ['API-key', () => `dop_v1_${random(64, HEX)}`],
  ['API-key', () => `pypi-AgEI${random(80)}`],
  ['API-key', () => `shpat_${random(32, HEX)}`],
  ['API-key', () => `dckr_pat_${random(27)}`],
  ['Stripe-key', () => `sk_live_${random(24)}`],
  ['Stripe-key', () => `whsec_${randomBytes(24).toString('base64').replace(/=+$/, '')}`],
  ['Google-key', () => `AIza${base64url(30).slice(0, 35)}`],
  ['Google-key', () => `GOCSPX-${random(28)}`],
  ['SendGrid-key', () => `SG.${random(22)}.${random(43)}`],
  ['Twilio-key', () => `SK${random(32, HEX)}`],
  ['Databricks-token', () => `dapi${random(32, HEX)}`],
  ['Vault-token', () => `hvs.${random(95)}`],
  ['Azure-secret', () => `${random(3)}8Q~${random(34)}`],
  ['Telegram-token', () => `${random(9, '123456789')}:AA${random(33)}`],
  ['age-key', () => `AGE-SECRET-KEY-1${random(58, UPPER)}`],
  ['JWT', () => [...jwt(), base64url(32)].join('.')],
  ['private-key', () => privateKey()],
  ['private-key', () => privateKey('')],
  ['private-key', () => privateKey('OPENSSH ')],
  ['private-key', () => JSON.stringify(privateKey()).slice(1, -1)],
];
const CUT_KEY = () => privateKey().slice(0, 300);

/** Those that only the words around them tell. */
const PLACED: [kind: string, around: [string, string], make: () => string][] = [
  ['AWS-secret', ['aws_secret_access_key = ', ''], () => random(40)],
  ['AWS-secret', ['"SecretAccessKey": "', '"'], () => random(40)],
  ['Azure-key', ['AccountName=a;AccountKey=', ';EndpointSuffix=core.windows.net'], () => `${random(86)}==`],
  [
    'Slack-webhook',
    ['https://hooks.slack.com/services/', ''],
    () => `T${random(8, UPPER)}/B${random(8, UPPER)}/${random(24)}`,
  ],
  ['password', ['postgres://admin:', '@db.example.com:5432/app'], () => random(12)],
  ['password', ['https://user:', '@example.com/'], () => `${random(4)}%40!$&${random(3)}`],
  ['password', ['redis://:', '@10.0.0.1'], () => random(20)],
];

describe('a secret of a known shape', () => {
  it.each([...KINDS, ['private-key', CUT_KEY] as const])('is hidden behind a mark of its kind: %s %#', (kind, make) => {
    const secret = make();
    for (const [before, after] of [
      ['', ''],
      ['The key is ', '.'],
      ['`', '`'],
      ['**', '**'],
      ['key="', '"'],
      ['(', ')'],
      ['\n', '\n'],
    ]) {
      const { text, secrets } = maskSecrets(`${before}${secret}${after}`);
      expect(text).toMatch(new RegExp(`█${kind}-\\w+█`));
      for (const part of secret.split('\n').filter(({ length }) => length > 6 && !secret.startsWith('-----')))
        expect(text).not.toContain(part);
      expect([...secrets.values()].join('')).toContain(secret.slice(20, 60));
      expect(unmask(text, secrets)).toBe(`${before}${secret}${after}`);
    }
  });

  it.each(PLACED)('is hidden where the words around it tell: %s %#', (kind, [before, after], make) => {
    const secret = make();
    const { text } = maskSecrets(`See ${before}${secret}${after}`);
    expect(text).toMatch(new RegExp(`█${kind}-\\w+█`));
    expect(text).not.toContain(secret);
    expect(maskSecrets(text).text).toBe(text);
  });

  it.each([
    ['where Markdown escapes it', (secret: string) => secret.replace(/[_.~-]/g, '\\$&')],
    ['between characters that nobody sees', (secret: string) => [...secret].join('\u200B')],
    ['behind tags that nobody sees', (secret: string) => secret.replace(/(?<=^.{6})/, '\u{E0041}\u2060')],
  ])('is hidden %s', (_, disguise) => {
    for (const [kind, make] of KINDS.filter(([kind]) => kind !== 'private-key')) {
      const said = `The key is ${disguise(make())}, again ${disguise(make())}.`;
      const { text, secrets } = maskSecrets(said);
      expect(text).toMatch(new RegExp(`^The key is █${kind}-\\w+█, again █${kind}-\\w+█\\.$`));
      expect(unmask(text, secrets)).toBe(said);
    }
  });

  it.each([...KINDS.map(([kind, make]) => [kind, ['', ''], make] as const), ...PLACED])(
    'is left out whole where a text is cut within it: %s %#',
    (_, [before, after], make) => {
      const secret = make();
      const text = `See ${before}${secret}${after} now`;
      for (let most = 4 + before.length; most < 4 + before.length + secret.length; most++)
        expect(shortened(text, most)).toBe(`${`See ${before}`.trimEnd()}…`);
      expect(shortened(text, 4 + before.length + secret.length)).toBe(`See ${before}${secret}…`);
    },
  );

  it('has the same mark wherever it stands, and another secret has another one', () => {
    const [one, other] = [`ghp_${random(36)}`, `ghp_${random(36)}`];
    const { text, secrets } = maskSecrets(`${one} ${other} ${one}`);
    const [first, second, third] = text.split(' ');
    expect(third).toBe(first);
    expect(second).not.toBe(first);
    expect(secrets.size).toBe(2);
    expect(countMarks(text)).toBe(3);
  });

  it('keeps its mark apart from those of many others', () => {
    const all = Array.from({ length: 3_000 }, () => `ghp_${random(36)}`).join(' ');
    const { text, secrets } = maskSecrets(all);
    expect(secrets.size).toBe(3_000);
    expect(unmask(text, secrets)).toBe(all);
  });

  it('has another mark than those that a text quotes, which stay as they are', () => {
    const secret = `ghp_${random(36)}`;
    const quoted = Array.from({ length: 12 }, (_, i) => maskSecrets(secret).text.replace('█', () => `${i} █`)).join(
      ' ',
    );
    const text = `${secret} and ${quoted}`;
    const { text: shown, secrets } = maskSecrets(text);
    expect(unmask(shown, secrets)).toBe(text);
    expect(shown.endsWith(` and ${quoted}`)).toBe(true);
    const all = maskSecrets(`${secret} and ${shown}`);
    expect(unmask(all.text, all.secrets)).toBe(`${secret} and ${shown}`);
  });

  it('is found wherever it stands in a text of megabytes, also between the slices', async () => {
    const secrets = Array.from({ length: 40 }, () => `ghp_${random(36)}`);
    for (const filler of [131_072 - 20, 131_072 - 41, 131_071, 50_000]) {
      const text = secrets.map((each) => 'x'.repeat(filler - 2).concat(' ', each, ' ')).join('');
      const masked = await maskSlowly(text);
      expect(countMarks(masked)).toBe(secrets.length);
      expect(masked).toBe(maskSecrets(text).text);
      expect(secrets.filter((each) => masked.includes(each))).toEqual([]);
    }
  });
});

describe('a text without secrets', () => {
  it.each([
    'A risk-assessment-of-the-new-platform, the task-force and disk-usage.',
    'Commit 3f786850e387550fdab836ed7e6dc881de23001b, sha256 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    'Write -----BEGIN PRIVATE KEY----- and then the key in lines, as described in the manual for administrators.',
    'id 550e8400-e29b-41d4-a716-446655440000 at 12:30, user@example.com, https://example.com:8080/a?b=c@d',
    'git@github.com:owner/repository.git and ssh://git@github.com/owner/repository',
    '█ is a block, ███ too. █not a mark█',
    'ghp_ and sk- and xoxb- are prefixes; eyJ begins a token.',
  ])('stays as it is: %s', (text) => {
    expect(maskSecrets(text)).toEqual({ text, secrets: new Map() });
  });

  it('stays as it is, whatever it is, and so does what is masked once', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => unmask(maskSecrets(text).text, maskSecrets(text).secrets) === text,
      ),
    );
  });

  it.each([
    'ey-',
    `ey${'a'.repeat(20)}.`,
    '-----BEGIN PRIVATE KEY-----',
    `-----BEGIN PRIVATE KEY-----${' '.repeat(79)}`,
    'a://b:',
    `https://user:${'x'.repeat(190)} `,
    'aws secret key ',
    'awsAWS',
    `SG.${'a'.repeat(30)}.`,
    '1234567890:AA',
    'sk-ant-',
  ])('is looked through in a time that grows with its length alone: %s', (part) => {
    const text = part.repeat(2_000_000 / part.length);
    const before = process.cpuUsage();
    maskSecrets(text);
    // A time that grew with the square of the length would be minutes.
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
  });
});
