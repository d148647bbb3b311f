import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';

export type Payload = Record<string, unknown>;

/** Why a body can't be read, without quoting it. */
type BodyProblem = 'content type' | 'encoding' | 'NUL byte' | 'unknown form' | 'JSON';

/** Slack sends one JSON object, bare or as the `payload` of a form, or a command as a form. */
export function parseBody(contentType: string | undefined, raw: string): Result<Payload, BodyProblem> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseObject(raw);
  if (type === 'application/x-www-form-urlencoded') return parseForm(raw);
  return refuse('content type');
}

/** URLSearchParams by itself takes everything: it keeps a broken `%` and replaces bytes that aren't UTF-8. */
function parseForm(raw: string): Result<Payload, BodyProblem> {
  const decoded = decode(raw);
  if (decoded === null) return refuse('encoding');
  if (decoded.includes('\0')) return refuse('NUL byte');
  const form = new URLSearchParams(raw);
  const payload = form.get('payload');
  if (payload !== null) return parseObject(payload);
  return form.has('command') || form.has('ssl_check') ? ok(Object.fromEntries(form)) : refuse('unknown form');
}

function decode(raw: string): string | null {
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
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
