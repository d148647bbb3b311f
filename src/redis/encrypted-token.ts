import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** https://nvlpubs.nist.gov/nistpubs/Legacy/SP/nistspecialpublication800-38d.pdf */
const CIPHER = 'aes-256-gcm';
const FORMAT = Buffer.from([1]);
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const HEADER_LENGTH = FORMAT.length + IV_LENGTH + TAG_LENGTH;

/** The format (1), the initialisation vector, the tag, and the encrypted token. It opens only for the same owner. */
export function encryptToken(key: Buffer, token: string, owner: string): Buffer {
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH }).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()]);
  return Buffer.concat([FORMAT, iv, cipher.getAuthTag(), encrypted]);
}

/** Null if this key doesn't open it, or it is another owner's, or was changed. */
export function decryptToken(key: Buffer, stored: Buffer, owner: string): string | null {
  if (stored.length < HEADER_LENGTH || !stored.subarray(0, FORMAT.length).equals(FORMAT)) return null;
  const iv = stored.subarray(FORMAT.length, FORMAT.length + IV_LENGTH);
  const tag = stored.subarray(FORMAT.length + IV_LENGTH, HEADER_LENGTH);
  const cipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH });
  cipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
  try {
    return Buffer.concat([cipher.update(stored.subarray(HEADER_LENGTH)), cipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
