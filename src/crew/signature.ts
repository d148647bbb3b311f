// Signatures that prove to receivers that a webhook is ours: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac } from 'node:crypto';
import { deriveKey } from './credentials.ts';

/** Each crew has its own key for callbacks, since the program that verifies them can sign as well. */
type Signer = { purpose: 'audit-sink' } | { purpose: 'callback'; crew: string };

function keyOf(secret: string, signer: Signer): Buffer {
  const key = deriveKey(secret, signer.purpose);
  return signer.purpose === 'callback' ? createHmac('sha256', key).update(signer.crew).digest() : key;
}

/** Returns the signing keys in the form that receivers get. */
export function signingKeys(secrets: readonly string[], signer: Signer): string[] {
  return secrets.map((secret) => `whsec_${keyOf(secret, signer).toString('base64')}`);
}

/** Signs with all secrets, so that a receiver needs only one of them while they rotate. */
export function signatureHeaders(
  { id, body }: { id: string; body: string },
  { secrets, signer }: { secrets: readonly string[]; signer: Signer },
) {
  const seconds = Math.floor(Date.now() / 1000);
  const sign = (secret: string) =>
    createHmac('sha256', keyOf(secret, signer)).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
