import { expect, it } from 'vitest';
import {
  deriveSigners,
  isSignedBy,
  parseCheckpoint,
  parseNote,
  parseVkey,
  signCheckpoint,
  signNote,
} from '../../src/ledger/checkpoint.ts';
import { SECRET } from './ledger-under-test.ts';

/** https://pkg.go.dev/golang.org/x/mod/sumdb/note#example-Open */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const NOTE = [
  'If you think cryptography is the answer to your problem,',
  "then you don't know what your problem is.",
  '',
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=',
  '',
].join('\n');

const keyOf = (vkey: string) => {
  const key = parseVkey(vkey);
  if (!key) throw new Error(`${vkey} is not a key.`);
  return key;
};

it('reads a note that others have signed', () => {
  const note = parseNote(NOTE);
  expect(note && isSignedBy(note, keyOf(PETER))).toBe(true);
  const changed = parseNote(NOTE.replace('answer', 'Answer'));
  expect(changed && isSignedBy(changed, keyOf(PETER))).toBe(false);
});

it.each([
  PETER.replace('c74f20a3', 'c74f20a4'),
  PETER.replace('PeterNeumann', 'Peter'),
  PETER.replace('+AR', '+AS'),
  'signoff',
  '',
])('refuses the key %j', (vkey) => {
  expect(parseVkey(vkey)).toBeNull();
});

it('always derives the same key from a secret', () => {
  const [signer] = deriveSigners([SECRET]);
  expect(signer?.vkey).toBe('signoff+e369291f+Aa+TYZzlA7MNq3k3XCQVGohx9bhl/MJC1nr6hnMph2Os');
});

it('signs with all secrets of a rotation, the newest first', () => {
  const signers = deriveSigners(['a newer secret of at least thirty-two characters', SECRET]);
  const note = parseNote(signNote('a text\n', signers));
  expect(note?.signatures.map(({ keyId }) => keyId)).toEqual(signers.map(({ id }) => id));
  for (const signer of signers) expect(note && isSignedBy(note, keyOf(signer.vkey))).toBe(true);
});

it('writes checkpoints that it reads, and no others', () => {
  const signers = deriveSigners([SECRET]);
  const head = { size: 12, root: 'ab'.repeat(32) };
  const terms = { time: 1_795_000_000_000, auditDays: 400, places: 'cd'.repeat(32) };
  const note = signCheckpoint(head, terms, signers);
  expect(note).toMatch(
    /^signoff\n12\n[A-Za-z0-9+/]{43}=\ntime 1795000000000\naudit_days 400\nplaces [A-Za-z0-9+/]{43}=\n\n— signoff [A-Za-z0-9+/]+=*\n$/,
  );
  expect(parseCheckpoint(note, signers)).toEqual({ head, terms, signedBy: signers });
  expect(parseCheckpoint(note.replace('time 1795', 'time 1695'), signers)?.signedBy).toEqual([]);
  expect(parseCheckpoint(note.replace('12', '13'), signers)?.signedBy).toEqual([]);
  for (const wrong of [
    '',
    'x',
    note.trimEnd(),
    note.replace('12', '012'),
    note.replace('signoff', 'other'),
    note.replace(/places .*\n/, ''),
    `${note}\n`,
  ])
    expect(parseCheckpoint(wrong, signers)).toBeNull();
});
