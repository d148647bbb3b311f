import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

// Storage that checks what Amazon's does and s3rver doesn't: signatures, checksums, and what object lock asks for. A counterpart of
// its own, from Amazon's documents alone.

export const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

export interface StoredObject {
  key: string;
  body: string;
  headers: IncomingMessage['headers'];
}

interface Strict {
  bucket: string;
  endpoint: string;
  stored: StoredObject[];
  requests: string[];
  /** What the next requests are answered with, whatever they are; null for what is right. */
  refuseWith(status: number | null, code?: string): void;
}

type Lock = 'none' | 'by-default' | 'where-asked' | 'kept from us';

export async function startStrictStorage(lock: Lock): Promise<Strict> {
  const stored: StoredObject[] = [];
  const requests: string[] = [];
  let refused: { status: number; code: string } | null = null;

  const answer = (request: IncomingMessage, body: string): [status: number, text: string] => {
    if (refused) return [refused.status, errorOf(refused.code)];
    const wrong = whyNotSigned(request, body);
    if (wrong !== null) return [403, errorOf(wrong)];
    const { pathname, search } = new URL(request.url ?? '', 'http://storage');
    const [, bucket, ...key] = pathname.split('/');
    if (bucket !== 'audit') return [404, errorOf('NoSuchBucket')];
    if (request.method === 'GET' && search === '?object-lock') return LOCKS[lock];
    if (request.method !== 'PUT' || key.join('/') === '') return [405, errorOf('MethodNotAllowed')];
    const given = request.headers['content-md5'];
    const asks = request.headers['x-amz-object-lock-mode'] !== undefined;
    if (given === undefined && (asks || lock === 'by-default' || lock === 'where-asked'))
      return [400, errorOf('InvalidRequest')];
    if (given !== undefined && given !== createHash('md5').update(body).digest('base64'))
      return [400, errorOf('BadDigest')];
    if (asks && (lock === 'none' || !isRetention(request))) return [400, errorOf('InvalidRequest')];
    stored.push({ key: key.join('/'), body, headers: request.headers });
    return [200, ''];
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push(`${request.method} ${request.url}`);
    const [status, text] = answer(request, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/xml' }).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    bucket: 'audit',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stored,
    requests,
    refuseWith(status, code = 'InternalError') {
      refused = status === null ? null : { status, code };
    },
  };
}

function errorOf(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObjectLockConfiguration.html */
const lockXml = (rule: string) =>
  `<ObjectLockConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><ObjectLockEnabled>Enabled</ObjectLockEnabled>${rule}</ObjectLockConfiguration>`;
const RULE = '<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Years>7</Years></DefaultRetention></Rule>';

const LOCKS: Record<Lock, [number, string]> = {
  none: [404, errorOf('ObjectLockConfigurationNotFoundError')],
  'by-default': [200, lockXml(RULE)],
  'where-asked': [200, lockXml('')],
  'kept from us': [403, errorOf('AccessDenied')],
};

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
function isRetention({ headers }: IncomingMessage): boolean {
  const until = Date.parse(String(headers['x-amz-object-lock-retain-until-date']));
  return /^(GOVERNANCE|COMPLIANCE)$/.test(String(headers['x-amz-object-lock-mode'])) && until > Date.now();
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
function whyNotSigned({ method, url = '', headers }: IncomingMessage, body: string): string | null {
  const [, credential = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [id, date = '', region = '', service = '', end] = credential.split('/');
  if (id !== KEYS.accessKeyId || service !== 's3' || end !== 'aws4_request') return 'InvalidAccessKeyId';
  const signed = names.split(';');
  const all = Object.keys(headers).filter((name) => name.startsWith('x-amz-') || name === 'content-md5');
  if (![...all, 'host'].every((name) => signed.includes(name))) return 'AccessDenied';
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const at = String(headers['x-amz-date']);
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query === '' || query.includes('=') ? query : `${query}=`,
    ...signed.map((name) => `${name}:${headers[name]}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = [date, region, service, end].join('/');
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n');
  const parts = [date, region, service, 'aws4_request'];
  const key = parts.reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${KEYS.secretAccessKey}`);
  return hmac(key, text).toString('hex') === signature ? null : 'SignatureDoesNotMatch';
}
