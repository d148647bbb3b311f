const HEX = /^[0-9a-f]{64}$/;

/** The hash of an output as it is stored: 43 characters of base64url for the 64 of a SHA-256 in hex, or `:` and any other. */
export function encodeHash(hash: string): string {
  return HEX.test(hash) ? Buffer.from(hash, 'hex').toString('base64url') : `:${hash}`;
}

/** @throws {TypeError} if it isn't one that was encoded */
export function decodeHash(stored: string): string {
  if (stored.startsWith(':')) return stored.slice(1);
  const hash = Buffer.from(stored, 'base64url').toString('hex');
  if (!HEX.test(hash)) throw new TypeError('is not a hash');
  return hash;
}
