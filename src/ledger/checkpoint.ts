import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { TreeHead } from '../core/ledger/merkle-tree.ts';
import { DAY_MS, type Millis } from '../core/values/time.ts';
import { deriveKey } from '../crew/credentials.ts';

// Checkpoints of the tree of sealed entries: signed notes, as transparency logs use them, and the keys derived from APP_SECRET
// that sign them.

/** Name of all our keys and checkpoints in signed notes. */
const ORIGIN = 'signoff';

/** Extension lines of a checkpoint: https://c2sp.org/tlog-checkpoint#note-text */
export interface CheckpointTerms {
  time: Millis;
  /** AUDIT_DAYS at that time: how long entries of a run are kept after the last one. */
  auditDays: number;
  /** SHA-256 in hex of the places of the last tile, which contain that of the tile before, and so on. */
  places: string;
}

export interface Checkpoint {
  head: TreeHead;
  terms: CheckpointTerms;
  /** Keys that have signed it, of those that it was read with. */
  signedBy: Verifier[];
}

/** Returns the signed note of a tree head: https://c2sp.org/tlog-checkpoint */
export function signCheckpoint(
  { size, root }: TreeHead,
  { time, auditDays, places }: CheckpointTerms,
  signers: readonly Signer[],
): string {
  const extension = `time ${time}\naudit_days ${auditDays}\nplaces ${base64(places)}\n`;
  return signNote(`${ORIGIN}\n${size}\n${base64(root)}\n${extension}`, signers);
}

/** Returns the same checkpoint, signed by these keys alone. The caller must know that it is true. */
export function signAgain(note: string, signers: readonly Signer[]): string {
  return signNote(parseNote(note)?.text ?? '', signers);
}

/** Further extension lines may follow. */
const CHECKPOINT = new RegExp(
  [
    `^${ORIGIN}\\n(0|[1-9][0-9]{0,14})\\n([A-Za-z0-9+/]{43}=)\\n`,
    'time (0|[1-9][0-9]{0,14})\\naudit_days ([1-9][0-9]{0,5})\\nplaces ([A-Za-z0-9+/]{43}=)\\n',
    '(?:[^\\n]+\\n)*$',
  ].join(''),
);

/** Returns null if the text isn't a checkpoint. */
export function parseCheckpoint(text: string, verifiers: readonly Verifier[]): Checkpoint | null {
  const note = parseNote(text);
  const [, size, root = '', time, days, places = ''] = CHECKPOINT.exec(note?.text ?? '') ?? [];
  const [rootHash, placesHash] = [hashOf(root), hashOf(places)];
  if (note === null || rootHash === null || placesHash === null) return null;
  return {
    head: { size: Number(size), root: rootHash },
    terms: { time: Number(time), auditDays: Number(days), places: placesHash },
    signedBy: verifiers.filter((verifier) => isSignedBy(note, verifier)),
  };
}

/** Returns true if everything that the checkpoint covers may have expired at this time. */
export function isExpired(terms: CheckpointTerms, { auditDays, at }: { auditDays: number; at: Millis }): boolean {
  return terms.time + Math.min(terms.auditDays, auditDays) * DAY_MS <= at;
}

function base64(hash: string): string {
  return Buffer.from(hash, 'hex').toString('base64');
}

/** Returns a base64 hash in hex; null if it isn't one. */
function hashOf(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === base64 ? bytes.toString('hex') : null;
}

/** A text with its signatures: https://c2sp.org/signed-note */
interface SignedNote {
  text: string;
  signatures: KeySignature[];
}

interface KeySignature {
  name: string;
  /** The hash in hex. */
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

/** Returns null if it isn't a signed note. */
export function parseNote(note: string): SignedNote | null {
  const end = note.lastIndexOf('\n\n');
  const lines = note.slice(end + 2).split('\n');
  if (end === -1 || lines.pop() !== '') return null;
  const signatures = lines.map(parseSignature).filter((signature) => signature !== null);
  if (signatures.length === 0 || signatures.length !== lines.length) return null;
  return { text: note.slice(0, end + 1), signatures };
}

/** Returns true if a key has signed the note. An invalid signature with the key's id makes it worthless. */
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

/** A public key: https://c2sp.org/signed-note#verifier-keys */
export interface Verifier {
  /** Name, id and key, separated by `+`, as others get it. */
  vkey: string;
  name: string;
  /** Four bytes in hex. */
  id: string;
  verifies(text: string, signature: Buffer): boolean;
}

export interface Signer extends Verifier {
  sign(text: string): Buffer;
  /** Key of the code that proves to the sealer that a process with the same secret wrote an entry. */
  entryKey: Buffer;
}

const ED25519 = 1;
/** DER prefixes of the 32 bytes of a key: https://www.rfc-editor.org/rfc/rfc8410 */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Returns the keys that sign checkpoints and exports. @param secrets newest first */
export function deriveSigners(secrets: readonly string[]): Signer[] {
  return secrets.map((secret) => {
    const der = Buffer.concat([PRIVATE_PREFIX, deriveKey(secret, 'checkpoint')]);
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length);
    return {
      ...createVerifier(ORIGIN, publicKey),
      sign: (text) => sign(null, Buffer.from(text), key),
      entryKey: deriveKey(secret, 'ledger-entry'),
    };
  });
}

/** Returns null if it isn't an Ed25519 key in the form of `vkey`. */
export function parseVkey(vkey: string): Verifier | null {
  const [, name = '', key = ''] = /^([^\s+]+)\+[0-9a-f]{8}\+([A-Za-z0-9+/=]+)$/.exec(vkey) ?? [];
  const bytes = Buffer.from(key, 'base64');
  if (bytes.length !== 33 || bytes[0] !== ED25519) return null;
  const verifier = createVerifier(name, bytes.subarray(1));
  return verifier.vkey === vkey ? verifier : null;
}

function createVerifier(name: string, publicKey: Buffer): Verifier {
  const typed = Buffer.concat([Buffer.of(ED25519), publicKey]);
  const id = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8);
  const key = createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return {
    name,
    vkey: `${name}+${id}+${typed.toString('base64')}`,
    id,
    verifies: (text, signature) => verify(null, Buffer.from(text), key, signature),
  };
}
