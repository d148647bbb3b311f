import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { deriveKey } from '../../crew/credentials.ts';

/** What all our keys are called in signed notes, and what our checkpoints are about. */
export const ORIGIN = 'signoff';

/** A public key: https://c2sp.org/signed-note#verifier-keys */
export interface Verifier {
  /** As it is given to others: the name, the id and the key, separated by `+`. */
  vkey: string;
  name: string;
  /** In hex, four bytes. */
  id: string;
  verifies(text: string, signature: Buffer): boolean;
}

export interface Signer extends Verifier {
  sign(text: string): Buffer;
  /** What tells the sealer that an entry was written by a process with the same secret. */
  entryKey: Buffer;
}

const ED25519 = 1;
/** What DER has before the 32 bytes of a key: https://www.rfc-editor.org/rfc/rfc8410 */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The keys that sign checkpoints and exports. @param secrets newest first */
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

/** Null if it is no Ed25519 key in the form of `vkey`. */
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
