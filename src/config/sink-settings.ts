import { ok, type Result, refuse } from '../core/values/result.ts';
import type { SinkSettings } from '../ledger/sink/receiver.ts';
import type { Environment } from './environment.ts';
import { isLoopback, NOT_SAFE, whyNotSafeAddress, withoutTrailingSlash } from './fields.ts';

const FORMS = 'https://siem.example.com/hook or s3://bucket/prefix?region=eu-central-1';

/** Reads the receiver of ledger entries; null for none. The refusal has a sentence for every bad setting. */
export function readSinkSettings(env: Environment): Result<SinkSettings | null, string[]> {
  const { AUDIT_SINK: address } = env;
  if (address === undefined) return ok(null);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol === 's3:') return readStorage(url, env);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    return refuse([`AUDIT_SINK must be an address such as ${FORMS}.`]);
  if (url.protocol === 'http:' && !isLoopback(address)) return refuse([`AUDIT_SINK ${NOT_SAFE}.`]);
  if (!isDecodable(url.username) || !isDecodable(url.password))
    return refuse(['AUDIT_SINK has a % in its user name or password that must be written as %25.']);
  return ok({ kind: 'webhook', url: url.href });
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** A part of the characters that need no encoding: https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const PREFIX = /^(\/[\w.-]+)*\/?$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const OPTIONS = ['region', 'endpoint'];

function readStorage(url: URL, env: Environment): Result<SinkSettings, string[]> {
  const { searchParams: options, hostname: bucket } = url;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const region = options.get('region') ?? env.AWS_REGION;
  const endpoint = options.get('endpoint');
  const badEndpoint = endpoint === null ? null : whyNotSafeAddress(endpoint);
  const problems = [
    ...(BUCKET.test(bucket) && url.username === '' && url.port === ''
      ? []
      : ['AUDIT_SINK must name a bucket, as in s3://bucket/prefix.']),
    ...(PREFIX.test(url.pathname) ? [] : ['AUDIT_SINK may have only letters, digits, /, -, _ and . in its prefix.']),
    ...([...options.keys()].every((name) => OPTIONS.includes(name)) && url.hash === ''
      ? []
      : ['AUDIT_SINK takes only region and endpoint after its ?.']),
    ...(region === undefined ? ['AUDIT_SINK needs ?region=… or AWS_REGION.'] : []),
    ...(region !== undefined && !REGION.test(region)
      ? ['The region of AUDIT_SINK must be one such as us-east-1.']
      : []),
    ...(badEndpoint === null ? [] : [`The endpoint of AUDIT_SINK ${badEndpoint}.`]),
    ...(accessKeyId === undefined ? ['AWS_ACCESS_KEY_ID is missing, which AUDIT_SINK needs.'] : []),
    ...(secretAccessKey === undefined ? ['AWS_SECRET_ACCESS_KEY is missing, which AUDIT_SINK needs.'] : []),
  ];
  if (problems.length > 0 || region === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return refuse(problems);
  const prefix = url.pathname.replace(/^\/|\/$/g, '');
  return ok({
    kind: 's3',
    bucketUrl: bucketUrl({ bucket, region, endpoint }),
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    credentials: { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN ?? null },
  });
}

/**
 * Puts the bucket into the path where it can't be a host name: other storage than Amazon's may not support that, and Amazon's
 * certificate doesn't cover a bucket's name with dots.
 */
function bucketUrl({ bucket, region, endpoint }: { bucket: string; region: string; endpoint: string | null }): string {
  if (endpoint !== null) return `${withoutTrailingSlash(endpoint)}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

/** `ledger/sink/webhook.ts` decodes the user name and the password for Basic auth. */
function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
