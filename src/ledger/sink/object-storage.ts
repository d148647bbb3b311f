import { createHash } from 'node:crypto';
import { sha256 } from '../../core/ledger/entry.ts';
import { DAY_MS } from '../../core/values/time.ts';
import type { Batch } from './batch.ts';
import { type Answer, createExchange, type SinkRequest } from './exchange.ts';
import type { Outcome, Receiver, ReceiverOptions, SinkSettings } from './receiver.ts';

// A sink that stores batches as objects in S3-compatible storage. Object names sort in the order of the ledger, and a batch that
// is sent again gets the same name.

const MOST_BYTES = 1_048_576;

/** Time for which a bucket's setting is cached. */
const LOCK_MS = 10 * 60_000;

/** The object lock that a bucket applies to new objects: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html */
export type ObjectLock =
  | 'none'
  /** Objects are kept as long as the bucket says. */
  | 'by-default'
  | 'where-asked'
  /** We may not ask, or this storage doesn't know object lock. */
  | 'unknown';

export interface ObjectStorage extends Receiver {
  put(name: string, body: string, more: Pick<SinkRequest, 'signal' | 'headers'>): Promise<Answer>;
  /** Returns the failed outcome if storage can't be asked. */
  askForLock(): Promise<ObjectLock | Outcome>;
}

export function createObjectStorage(
  { bucketUrl, prefix, region, credentials }: Extract<SinkSettings, { kind: 's3' }>,
  { auditDays, answerMs }: Omit<ReceiverOptions, 'secrets'>,
): ObjectStorage {
  const exchange = createExchange({ answerMs });
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  let lock: { value: ObjectLock; askedAt: number } | null = null;

  /** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
  const send = async ({ url, method, headers, body = '', signal }: SinkRequest): Promise<Answer> => {
    const { AwsV4Signer } = await import('aws4fetch');
    const signer = new AwsV4Signer({
      method,
      url,
      headers: { ...headers, 'x-amz-content-sha256': sha256(body) },
      body,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      service: 's3',
      region,
    });
    const signed = await signer.sign();
    return exchange.send({
      method,
      url,
      headers: { ...Object.fromEntries(signed.headers), 'user-agent': 'signoff' },
      ...(method === 'PUT' && { body }),
      signal,
    });
  };

  const put = async (name: string, body: string, more: Pick<SinkRequest, 'signal' | 'headers'>): Promise<Answer> =>
    send({
      ...more,
      method: 'PUT',
      url: `${bucketUrl}/${prefix}${name}`,
      // Object lock requires Content-MD5: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
      headers: { 'content-type': 'application/x-ndjson', 'content-md5': md5(body), ...more.headers },
      body,
    });

  const askForLock = async (signal?: AbortSignal): Promise<ObjectLock | Outcome> => {
    if (lock !== null && performance.now() - lock.askedAt < LOCK_MS) return lock.value;
    const answer = await send({ method: 'GET', url: `${bucketUrl}?object-lock`, headers: {}, signal });
    const value = readLock(answer);
    if (typeof value === 'string') lock = { value, askedAt: performance.now() };
    return value;
  };

  return {
    id: sha256(`s3 ${bucketUrl}/${prefix}`),
    host: new URL(bucketUrl).host,
    mostBytes: MOST_BYTES,
    async send(batch, signal) {
      const objectLock = await askForLock(signal);
      if (typeof objectLock !== 'string') return objectLock;
      const headers = objectLock === 'where-asked' ? retention(auditDays) : {};
      const outcome = outcomeOf(await put(nameOf(batch), `${batch.records.join('\n')}\n`, { headers, signal }));
      if (outcome.kind !== 'taken') lock = null;
      return outcome;
    },
    put,
    askForLock,
    close: exchange.close,
  };
}

/** Padding makes names sort by number. */
const DIGITS = 12;

/** Two batches have the same name only if they have the same entries, so none replaces another. */
function nameOf({ from, until, id }: Batch): string {
  const numbered = (leaf: number) => String(leaf).padStart(DIGITS, '0');
  return `${numbered(from)}-${numbered(until)}-${id}.jsonl`;
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('base64');
}

/** Returns the headers for GOVERNANCE mode, which people can end if the bucket's owner allows it. */
function retention(days: number): Record<string, string> {
  return {
    'x-amz-object-lock-mode': 'GOVERNANCE',
    'x-amz-object-lock-retain-until-date': new Date(Date.now() + days * DAY_MS).toISOString(),
  };
}

export function outcomeOf(answer: Answer): Outcome {
  if (answer.kind === 'no-answer') return answer;
  const { status, text } = answer;
  return status >= 200 && status < 300 ? { kind: 'taken' } : { kind: 'refused', status, code: codeIn(text) };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
export function codeIn(text: string): string | null {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1] ?? null;
}

/** Answers that mean "not by us" or "not here": sending needs no permission to ask. */
const WITHOUT_LOCK = [400, 403, 404, 405, 501];

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLockConfiguration.html */
function readLock(answer: Answer): ObjectLock | Outcome {
  const outcome = outcomeOf(answer);
  if (answer.kind === 'no-answer' || outcome.kind === 'no-answer') return outcome;
  if (outcome.kind === 'refused') {
    if (outcome.code === 'ObjectLockConfigurationNotFoundError') return 'none';
    // A wrong clock says nothing about the bucket: objects would be stored without retention.
    if (outcome.code === 'RequestTimeTooSkewed') return outcome;
    return WITHOUT_LOCK.includes(outcome.status) ? 'unknown' : outcome;
  }
  const isLocked = /<ObjectLockEnabled>Enabled<\/ObjectLockEnabled>/.test(answer.text);
  if (!isLocked) return 'none';
  return answer.text.includes('<DefaultRetention>') ? 'by-default' : 'where-asked';
}
