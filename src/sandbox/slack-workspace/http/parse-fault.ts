import { isObject, type JsonObject, objectAt, stringAt } from '../json.ts';
import type { Fault, FaultEffect } from '../runtime/faults.ts';

/** Parses a fault; undefined if invalid. */
export function parseFault(body: JsonObject): Fault | undefined {
  const method = stringAt(body, 'method');
  const effect = parseEffect(objectAt(body, 'effect') ?? {});
  if (method === undefined || !effect) return undefined;
  const where = Object.entries(isObject(body.where) ? body.where : {}).map(([name, value]) => [name, String(value)]);
  return {
    method,
    effect,
    where: Object.fromEntries(where),
    ...(typeof body.nth === 'number' && { nth: body.nth }),
    ...(typeof body.times === 'number' && { times: body.times }),
    ...(typeof body.containing === 'string' && { containing: body.containing }),
  };
}

function parseEffect(effect: JsonObject): FaultEffect | undefined {
  const number = (name: string) => (typeof effect[name] === 'number' ? effect[name] : 0);
  switch (effect.kind) {
    case 'rate-limited':
      return { kind: 'rate-limited', retryAfterSeconds: number('retryAfterSeconds') };
    case 'status':
      return { kind: 'status', status: number('status') || 500 };
    case 'error':
      return { kind: 'error', error: stringAt(effect, 'error') ?? 'internal_error' };
    case 'delay':
      return { kind: 'delay', delayMs: number('delayMs') };
    case 'drop':
      return { kind: 'drop' };
    case 'apply-then-drop':
      return { kind: 'apply-then-drop' };
    case 'silence':
      return { kind: 'silence', apply: effect.apply === true };
    default:
      return undefined;
  }
}
