import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Authentication,
  callbackSettings,
  createCredentials,
  createRefs,
  isRef,
} from '../../src/crew/credentials.ts';
import { headerOf, OLD_SECRET, SECRET } from './crew-values.ts';

const REF = 'abcdefghijklmnopqrstuvwxyz';
const OTHER_REF = 'bbcdefghijklmnopqrstuvwxyz';
const credentials = createCredentials([SECRET]);

describe.each(['bearer', 'basic'] as const)('%s credentials', (strategy) => {
  it('carry the hop that they were given for', () => {
    for (const hop of [0, 1, 7, 123_456]) {
      const given = headerOf(credentials.ofExecution({ ref: REF, hop }, strategy));
      expect(credentials.hopOfExecution(REF, given)).toBe(hop);
    }
  });

  it('open no other execution', () => {
    const given = headerOf(credentials.ofExecution({ ref: OTHER_REF, hop: 0 }, strategy));
    expect(credentials.hopOfExecution(REF, given)).toBeNull();
  });

  it('can not be turned into those of another hop', () => {
    const given = credentials.ofExecution({ ref: REF, hop: 1 }, strategy);
    const forged: Authentication =
      given.strategy === 'bearer'
        ? { ...given, token: given.token.replace('h1.', 'h2.') }
        : { ...given, username: 'signoff-2' };
    expect(credentials.hopOfExecution(REF, headerOf(forged))).toBeNull();
  });

  it('of a crew open that crew and nothing else', () => {
    const given = headerOf(credentials.ofCrew('research', strategy));
    expect(credentials.isOfCrew('research', given)).toBe(true);
    expect(credentials.isOfCrew('writing', given)).toBe(false);
    expect(credentials.hopOfExecution('research', given)).toBeNull();
  });

  it('stay valid while their secret is among the older ones', () => {
    const before = createCredentials([OLD_SECRET]);
    const rotated = createCredentials([SECRET, OLD_SECRET]);
    const given = headerOf(before.ofExecution({ ref: REF, hop: 3 }, strategy));
    expect(rotated.hopOfExecution(REF, given)).toBe(3);
    expect(credentials.hopOfExecution(REF, given)).toBeNull();
    expect(rotated.isOfCrew('research', headerOf(before.ofCrew('research', strategy)))).toBe(true);
  });

  it('are made with the newest secret', () => {
    const rotated = createCredentials([SECRET, OLD_SECRET]);
    const key = { ref: REF, hop: 0 };
    expect(rotated.ofExecution(key, strategy)).toEqual(credentials.ofExecution(key, strategy));
  });
});

it('accepts no header that it did not make', () => {
  const valid = headerOf(credentials.ofExecution({ ref: REF, hop: 0 }, 'bearer'));
  const wrong = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    valid.replace('Bearer', 'Basic'),
    valid.replace('Bearer ', ''),
    valid.slice(0, -1),
    `${valid}A`,
    `${valid} ${valid}`,
    valid.replace('h0.', 'h00.'),
    valid.replace('h0.', 'h-0.'),
    valid.replace('h0.', ''),
    `Basic ${Buffer.from('signoff-0:').toString('base64')}`,
    `Basic ${Buffer.from(':').toString('base64')}`,
  ];
  for (const authorization of wrong) expect(credentials.hopOfExecution(REF, authorization)).toBeNull();
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(credentials.hopOfExecution(REF, text)).toBeNull();
      expect(credentials.hopOfExecution(REF, `Bearer ${text}`)).toBeNull();
      expect(credentials.hopOfExecution(REF, `Basic ${Buffer.from(text).toString('base64')}`)).toBeNull();
      expect(credentials.hopOfPath(REF, text)).toBeNull();
      expect(credentials.hopOfHumanInput(REF, text)).toBeNull();
      expect(credentials.isCrewToken('research', text)).toBe(false);
    }),
  );
});

it('takes the scheme in any case, as the RFC says', () => {
  const valid = headerOf(credentials.ofExecution({ ref: REF, hop: 2 }, 'bearer'));
  expect(credentials.hopOfExecution(REF, valid.replace('Bearer', 'bEaReR'))).toBe(2);
});

it('gives a path token that is no credential, and the other way round', () => {
  const token = credentials.pathToken({ ref: REF, hop: 4 });
  expect(token).toMatch(/^h4\.[\w-]{43}$/);
  expect(credentials.hopOfPath(REF, token)).toBe(4);
  expect(credentials.hopOfPath(OTHER_REF, token)).toBeNull();
  expect(credentials.hopOfExecution(REF, `Bearer ${token}`)).toBeNull();
});

it('gives the stream of an execution a bearer that opens nothing else', () => {
  const token = credentials.ofStream({ ref: REF, hop: 2 });
  expect(credentials.hopOfStream(REF, `Bearer ${token}`)).toBe(2);
  expect(credentials.hopOfStream(OTHER_REF, `Bearer ${token}`)).toBeNull();
  expect(credentials.hopOfStream(REF, token)).toBeNull();
  expect(credentials.hopOfStream(REF, `Bearer ${token.replace('h2.', 'h1.')}`)).toBeNull();
  expect(credentials.hopOfExecution(REF, `Bearer ${token}`)).toBeNull();
  expect([credentials.hopOfPath(REF, token), credentials.hopOfHumanInput(REF, token)]).toEqual([null, null]);
  for (const other of [credentials.ofExecution({ ref: REF, hop: 2 }, 'bearer'), credentials.ofCrew(REF, 'basic')])
    expect(credentials.hopOfStream(REF, headerOf(other))).toBeNull();
  const rotated = createCredentials([SECRET, OLD_SECRET]);
  const before = createCredentials([OLD_SECRET]).ofStream({ ref: REF, hop: 0 });
  expect([rotated, credentials].map((each) => each.hopOfStream(REF, `Bearer ${before}`))).toEqual([0, null]);
});

it('gives each kind of address a token that opens no other', () => {
  const key = { ref: REF, hop: 4 };
  const [events, humanInput, crew] = [
    credentials.pathToken(key),
    credentials.humanInputToken(key),
    credentials.crewToken('research'),
  ];
  expect(humanInput).toMatch(/^h4\.[\w-]{43}$/);
  expect([events, humanInput, crew].map((token) => credentials.hopOfHumanInput(REF, token))).toEqual([null, 4, null]);
  expect([events, humanInput, crew].map((token) => credentials.hopOfPath(REF, token))).toEqual([4, null, null]);
  expect(credentials.hopOfHumanInput(REF, humanInput.replace('h4.', 'h5.'))).toBeNull();
  expect(credentials.hopOfHumanInput(OTHER_REF, humanInput)).toBeNull();
  expect(credentials.isCrewToken('research', crew)).toBe(true);
  expect(credentials.isCrewToken('writing', crew)).toBe(false);
  const given = headerOf(credentials.ofCrew('research', 'bearer'));
  expect(credentials.isCrewToken('research', given.replace('Bearer ', ''))).toBe(false);
  expect(credentials.isOfCrew('research', `Bearer ${crew}`)).toBe(false);
});

it('keeps the tokens of addresses while their secret is among the older ones', () => {
  const before = createCredentials([OLD_SECRET]);
  const rotated = createCredentials([SECRET, OLD_SECRET]);
  const token = before.humanInputToken({ ref: REF, hop: 3 });
  expect([rotated, credentials].map((each) => each.hopOfHumanInput(REF, token))).toEqual([3, null]);
  expect([rotated, credentials].map((each) => each.isCrewToken('research', before.crewToken('research')))).toEqual([
    ...[true, false],
  ]);
  expect(rotated.humanInputToken({ ref: REF, hop: 3 })).toBe(credentials.humanInputToken({ ref: REF, hop: 3 }));
});

it('makes nothing without a secret', () => {
  expect(() => createCredentials([])).toThrow(RangeError);
});

describe('the webhook settings of a call', () => {
  const source = { publicUrl: 'https://bot.example.org/signoff/', credentials, webhookAuth: 'bearer' as const };

  it('names all four webhooks at the addresses of the contract', () => {
    const settings = callbackSettings(
      source,
      { ref: REF, hop: 2 },
      { humanInput: 'with-credentials', events: 'addresses' },
    );
    const token = credentials.pathToken({ ref: REF, hop: 2 });
    expect(settings).toEqual({
      humanInputWebhook: {
        url: `https://bot.example.org/signoff/webhooks/executions/${REF}/human-input`,
        authentication: credentials.ofExecution({ ref: REF, hop: 2 }, 'bearer'),
      },
      taskWebhookUrl: `https://bot.example.org/signoff/webhooks/executions/${REF}/${token}/task`,
      stepWebhookUrl: `https://bot.example.org/signoff/webhooks/executions/${REF}/${token}/step`,
      crewWebhookUrl: `https://bot.example.org/signoff/webhooks/executions/${REF}/${token}/crew`,
      meta: { signoff_ref: REF },
    });
  });

  it('gives a user name and a password where basic credentials are set', () => {
    const basic = { ...source, webhookAuth: 'basic' as const };
    const settings = callbackSettings(
      basic,
      { ref: REF, hop: 1 },
      { humanInput: 'with-credentials', events: 'addresses' },
    );
    expect(settings.humanInputWebhook?.authentication).toMatchObject({ strategy: 'basic', username: 'signoff-1' });
  });

  it('gives a secret address alone to who takes no credentials', () => {
    const { humanInputWebhook, humanInputWebhookUrl } = callbackSettings(
      source,
      { ref: REF, hop: 2 },
      { humanInput: 'plain-address', events: 'addresses' },
    );
    expect(humanInputWebhook).toBeUndefined();
    expect(humanInputWebhookUrl).toBe(
      `https://bot.example.org/signoff/webhooks/executions/${REF}/${credentials.humanInputToken({ ref: REF, hop: 2 })}/human-input`,
    );
  });
});

describe('a reference of an execution', () => {
  const refs = createRefs([SECRET]);

  it('gives a form that is submitted twice the same reference, and its next attempt another one', () => {
    const first = refs.createRef({ viewId: 'V1', attempt: 1 });
    expect(refs.createRef({ viewId: 'V1', attempt: 1 })).toBe(first);
    expect(refs.createRef({ viewId: 'V1', attempt: 2 })).not.toBe(first);
    expect(refs.createRef({ viewId: 'V2', attempt: 1 })).not.toBe(first);
  });

  it('gives a command that is delivered twice the same reference', () => {
    const first = refs.createRef({ triggerId: 'T1' });
    expect(refs.createRef({ triggerId: 'T1' })).toBe(first);
    expect(refs.createRef({ triggerId: 'T2' })).not.toBe(first);
  });

  it('tells crews with the same execution id apart', () => {
    expect(refs.adoptedRef('a', 'bc')).not.toBe(refs.adoptedRef('ab', 'c'));
    expect(refs.adoptedRef('research', '1')).toBe(refs.adoptedRef('research', '1'));
  });

  it('finds what was adopted under an older secret', () => {
    const before = createRefs([OLD_SECRET]).adoptedRef('research', '1');
    const rotated = createRefs([SECRET, OLD_SECRET]);
    expect(rotated.adoptedRefs('research', '1')).toEqual([refs.adoptedRef('research', '1'), before]);
    expect(rotated.adoptedRef('research', '1')).toBe(refs.adoptedRef('research', '1'));
  });

  it('is 26 characters that need no escaping anywhere, each equally likely', () => {
    const all = Array.from({ length: 2_000 }, (_, i) => refs.createRef({ triggerId: `T${i}` }));
    expect(new Set(all).size).toBe(all.length);
    expect(all.every(isRef)).toBe(true);
    const counts = new Map<string, number>();
    for (const letter of all.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(32);
    const expected = (all.length * 26) / 32;
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(expected * 0.2);
  });

  it('takes nothing else for a reference', () => {
    for (const text of ['', 'abc', 'A'.repeat(26), '1'.repeat(26), `${'a'.repeat(26)}\n`, '../'.repeat(9)]) {
      expect(isRef(text)).toBe(false);
    }
  });
});
