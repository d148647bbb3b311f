// What proves to receivers that a webhook is ours: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac } from 'node:crypto';
import { deriveKey } from './credentials.ts';

type Purpose = 'audit-sink' | 'callback';

/** The keys that sign, each as a receiver is given it. */
export function signingKeys(secrets: readonly string[], purpose: Purpose): string[] {
  return secrets.map((secret) => `whsec_${deriveKey(secret, purpose).toString('base64')}`);
}

/** While secrets rotate, all of them sign: a receiver needs to know one. */
export function signatureHeaders({
  id,
  body,
  secrets,
  purpose,
}: {
  id: string;
  body: string;
  secrets: readonly string[];
  purpose: Purpose;
}) {
  const seconds = Math.floor(Date.now() / 1000);
  const sign = (secret: string) =>
    createHmac('sha256', deriveKey(secret, purpose)).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
