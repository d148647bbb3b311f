// The payload and address of a notification, and the proof of its origin for the receiver.
import { createHmac } from 'node:crypto';
import type { RunEvent, WebhookAuthentication } from '../executions/run.ts';
import type { JsonObject } from '../json.ts';

export type Notification = {
  readonly kind: RunEvent['type'] | 'events';
  readonly url: string;
  readonly authentication?: WebhookAuthentication | Signature | undefined;
  readonly body: JsonObject;
};

/** Made when it is sent, as it carries the time. */
type Signature = {
  readonly strategy: 'hmac';
  readonly secret: string;
  readonly header: 'x-crewai-signature' | 'x-signature';
};

type Sent = { readonly authentication?: Notification['authentication']; readonly body: string };

/** The headers with the proof; the task, step and crew webhooks have none (specification, section 5). */
export function proofOf({ authentication, body }: Sent, now: number): Readonly<Record<string, string>> {
  switch (authentication?.strategy) {
    case undefined:
      return {};
    case 'bearer':
      return { authorization: `Bearer ${authentication.token}` };
    case 'basic': {
      const { username, password } = authentication;
      return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
    }
    case 'hmac': {
      const timestamp = `${Math.floor(now / 1000)}`;
      const digest = createHmac('sha256', authentication.secret).update(`${timestamp}.${body}`).digest('hex');
      return { [authentication.header]: `sha256=${digest}`, 'x-crewai-timestamp': timestamp };
    }
  }
}
