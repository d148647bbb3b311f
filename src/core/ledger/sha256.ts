import { createHash } from 'node:crypto';

/** The SHA-256 of a text in UTF-8, in lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The SHA-256 of the bytes of another hash, given in hex, followed by a text in UTF-8; in lower-case hex. */
export function sha256After(hash: string, text: string): string {
  return createHash('sha256').update(hash, 'hex').update(text).digest('hex');
}
