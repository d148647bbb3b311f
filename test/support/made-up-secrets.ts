import { randomBytes } from 'node:crypto';

// Secrets are made up here, so that none stands in the repository, nor anything that looks like one.

export const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** As many characters of an alphabet by chance. */
export function random(length: number, alphabet = ALPHANUMERIC): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

export function githubToken(): string {
  return `ghp_${random(36)}`;
}

/** A private key as a file has it. */
export function privateKey(kind = 'RSA '): string {
  const lines = Array.from({ length: 12 }, () => randomBytes(48).toString('base64'));
  return [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, 'Ab0=', `-----END ${kind}PRIVATE KEY-----`].join('\n');
}
