import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import { decodeForm } from './decode-form.ts';

export type Payload = Record<string, unknown>;

/** Why a body can't be read, without quoting it. */
type BodyProblem = 'content type' | 'encoding' | 'NUL byte' | 'unknown form' | 'JSON';

/** Slack sends one JSON object, bare or as the `payload` of a form, or a command as a form. */
export function parseBody(contentType: string | undefined, body: Buffer): Result<Payload, BodyProblem> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') return parseObject(body.toString());
  if (type === 'application/x-www-form-urlencoded') return parseForm(body);
  return refuse('content type');
}

function parseForm(body: Buffer): Result<Payload, BodyProblem> {
  const fields = decodeForm(body);
  if (fields === null) return refuse('encoding');
  if (fields.some(([name, value]) => name.includes('\0') || value.includes('\0'))) return refuse('NUL byte');
  const [, payload] = fields.find(([name]) => name === 'payload') ?? [];
  if (payload !== undefined) return parseObject(payload);
  const isKnown = fields.some(([name]) => name === 'command' || name === 'ssl_check');
  return isKnown ? ok(Object.fromEntries(fields)) : refuse('unknown form');
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
