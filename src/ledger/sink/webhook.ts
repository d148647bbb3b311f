import { sha256 } from '../../core/ledger/entry.ts';
import { signatureHeaders, signingKeys } from '../../crew/signature.ts';
import { createExchange } from './exchange.ts';
import type { Outcome, Receiver, ReceiverOptions, SinkSettings } from './receiver.ts';

// A sink that gets batches as signed webhooks:
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

const SIGNER = { purpose: 'audit-sink' } as const;

export interface Webhook extends Receiver {
  post(id: string, body: string): Promise<Outcome>;
}

/** Below the 100 kB that many servers accept by default, with room for the rest of the message. */
const MOST_BYTES = 65_536;

/** Returns the signing keys in the form that receivers get. */
export function webhookKeys(secrets: readonly string[]): string[] {
  return signingKeys(secrets, SIGNER);
}

export function createWebhook(
  { url }: Extract<SinkSettings, { kind: 'webhook' }>,
  { secrets, answerMs }: Omit<ReceiverOptions, 'auditDays'>,
): Webhook {
  const exchange = createExchange({ answerMs });
  const { origin, host, pathname, search, username, password } = new URL(url);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = login === ':' ? null : `Basic ${Buffer.from(login).toString('base64')}`;

  const post = async (id: string, body: string, signal?: AbortSignal): Promise<Outcome> => {
    const answer = await exchange.send({
      method: 'POST',
      url: `${origin}${pathname}${search}`,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'signoff',
        ...(authorization !== null && { authorization }),
        ...signatureHeaders({ id, body }, { secrets, signer: SIGNER }),
      },
      body,
      signal,
    });
    if (answer.kind === 'no-answer') return answer;
    const { status } = answer;
    return status >= 200 && status < 300 ? { kind: 'taken' } : { kind: 'refused', status, code: null };
  };

  return {
    id: sha256(`webhook ${origin}${pathname}`),
    host,
    mostBytes: MOST_BYTES,
    send({ from, until, at, id, records }, signal) {
      const data = `{"from":${from},"records":[${records.join(',')}],"until":${until}}`;
      return post(`entries_${id}`, message('audit.entries', at, data), signal);
    },
    post,
    close: exchange.close,
  };
}

/** @param data JSON */
export function message(type: string, at: number, data: string): string {
  return `{"data":${data},"timestamp":"${new Date(at).toISOString()}","type":"${type}"}`;
}
