import { createHmac, hkdfSync } from 'node:crypto';

/** What a key is for. Keys of different purposes are independent, so that no credential can stand in for another. */
export type KeyPurpose =
  | 'ref'
  | 'human-input'
  | 'event-path'
  | 'crew-human-input'
  | 'checkpoint'
  | 'ledger-entry'
  | 'user-token';

const KEY_BYTES = 32;

/** Computes the message authentication code of these parts. */
export type Mac = (...parts: (string | number)[]) => Buffer;

/** 32 bytes for one purpose, derived from the secret by HKDF (https://www.rfc-editor.org/rfc/rfc5869). */
export function deriveKey(secret: string, purpose: KeyPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `signoff/${purpose}/1`, KEY_BYTES));
}

/**
 * A keyed hash (HMAC-SHA-256) for one purpose, its key derived from the secret.
 * The parts are joined as JSON: `('a', 'bc')` and `('ab', 'c')` differ.
 */
export function deriveMac(secret: string, purpose: KeyPurpose): Mac {
  const key = deriveKey(secret, purpose);
  return (...parts) => createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}
