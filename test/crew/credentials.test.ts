import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Authentication, createCredentials } from '../../src/crew/credentials.ts';
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

it('makes nothing without a secret', () => {
  expect(() => createCredentials([])).toThrow(RangeError);
});
