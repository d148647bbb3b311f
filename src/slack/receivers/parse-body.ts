import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';

type Payload = Record<string, unknown>;

/** Why a body can't be read, without quoting it. */
type BodyProblem = 'content type' | 'encoding' | 'NUL byte' | 'unknown form' | 'JSON';

/** Slack sends one JSON object, bare or as the `payload` of a form, or a command as a form. */
export function parseBody(contentType: string | undefined, body: Buffer): Result<Payload, BodyProblem> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseObject(body.toString());
  if (type === 'application/x-www-form-urlencoded') return parseForm(body.toString());
  return refuse('content type');
}

function parseForm(form: string): Result<Payload, BodyProblem> {
  if (!isWellEncoded(form)) return refuse('encoding');
  const fields = new URLSearchParams(form);
  if (/\0|%00/.test(form)) return refuse('NUL byte');
  const payload = fields.get('payload');
  if (payload !== null) return parseObject(payload);
  return fields.has('command') || fields.has('ssl_check') ? ok(Object.fromEntries(fields)) : refuse('unknown form');
}

/** URLSearchParams takes everything: it keeps a broken `%`, and replaces bytes that aren't UTF-8. */
function isWellEncoded(form: string): boolean {
  try {
    decodeURIComponent(form);
    return true;
  } catch {
    return false;
  }
}

function parseObject(text: string): Result<Payload, BodyProblem> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? ok(value) : refuse('JSON');
  } catch {
    return refuse('JSON');
  }
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
