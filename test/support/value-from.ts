import type { Result } from '../../src/core/values/result.ts';

/** The value of something that isn't refused. */
export function valueFrom<Value>(result: Result<Value, unknown>): Value {
  if (!result.ok) throw new Error(`It was refused: ${JSON.stringify(result.refusal)}`);
  return result.value;
}
