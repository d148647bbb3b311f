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

function parseForm(raw: string): Result<Payload, BodyProblem> {
  const fields = decodeForm(raw);
  if (fields === null) return refuse('encoding');
  if (fields.some((field) => field.join('').includes('\0'))) return refuse('NUL byte');
  const [, payload] = fields.find(([name]) => name === 'payload') ?? [];
  if (payload !== undefined) return parseObject(payload);
  const isKnown = fields.some(([name]) => name === 'command' || name === 'ssl_check');
  return isKnown ? ok(Object.fromEntries(fields)) : refuse('unknown form');
}

/**
 * The names and values of a form; null if it is badly encoded. URLSearchParams takes everything: it keeps a broken `%` and
 * replaces bytes that aren't UTF-8.
 */
function decodeForm(raw: string): [string, string][] | null {
  try {
    return raw
      .split('&')
      .filter((field) => field !== '')
      .map((field) => {
        const [name = '', ...value] = field.replaceAll('+', ' ').split('=');
        return [decodeURIComponent(name), decodeURIComponent(value.join('='))];
      });
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
