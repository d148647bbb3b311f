// Encryption of texts that only this bot can read, such as people's tokens and callback addresses.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** https://nvlpubs.nist.gov/nistpubs/Legacy/SP/nistspecialpublication800-38d.pdf */
const CIPHER = 'aes-256-gcm';
const FORMAT = Buffer.from([1]);
const IV_LENGTH = 12;
const TAG_LENGTH = 16;
const HEADER_LENGTH = FORMAT.length + IV_LENGTH + TAG_LENGTH;

/**
 * Returns the format (1), the initialisation vector, the tag, and the encrypted text. It opens only for the same owner.
 * @param key 32 bytes
 */
export function sealText(key: Buffer, text: string, owner: string): Buffer {
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH }).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([FORMAT, iv, cipher.getAuthTag(), encrypted]);
}

/** Returns null if this key doesn't open the text, or if it was changed or belongs to another owner. */
export function openText(key: Buffer, sealed: Buffer, owner: string): string | null {
  if (sealed.length < HEADER_LENGTH || !sealed.subarray(0, FORMAT.length).equals(FORMAT)) return null;
  const iv = sealed.subarray(FORMAT.length, FORMAT.length + IV_LENGTH);
  const tag = sealed.subarray(FORMAT.length + IV_LENGTH, HEADER_LENGTH);
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_LENGTH });
  decipher.setAAD(Buffer.from(owner)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_LENGTH)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
