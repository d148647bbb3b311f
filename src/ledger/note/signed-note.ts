import type { Signer, Verifier } from './keys.ts';

/** A text with its signatures: https://c2sp.org/signed-note */
interface SignedNote {
  /** Ends with a line break. */
  text: string;
  signatures: KeySignature[];
}

interface KeySignature {
  name: string;
  /** In hex. */
  keyId: string;
  signature: Buffer;
}

/** @param text ends with a line break, and has no empty line */
export function signNote(text: string, signers: readonly Signer[]): string {
  const lines = signers.map(({ name, id, sign }) => {
    const bytes = Buffer.concat([Buffer.from(id, 'hex'), sign(text)]);
    return `— ${name} ${bytes.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Null if it isn't a signed note. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2).split('\n');
  if (end === -1 || lines.pop() !== '') return null;
  const signatures = lines.map(parseSignature).filter((signature) => signature !== null);
  if (signatures.length === 0 || signatures.length !== lines.length) return null;
  return { text: note.slice(0, end + 1), signatures };
}

/** Whether a key has signed it. A signature by a key of the same id that isn't valid makes the note worthless. */
export function isSignedBy({ text, signatures }: SignedNote, key: Verifier): boolean {
  const own = signatures.filter(({ name, keyId }) => name === key.name && keyId === key.id);
  return own.length > 0 && own.every(({ signature }) => key.verifies(text, signature));
}

function parseSignature(line: string): KeySignature | null {
  const [, name = '', base64 = ''] = /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length < 5 || bytes.toString('base64') !== base64) return null;
  return { name, keyId: bytes.toString('hex', 0, 4), signature: bytes.subarray(4) };
}
