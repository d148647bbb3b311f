import { createHash } from 'node:crypto';
import type { Output } from '../../core/approval/approval.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { hasText } from '../../core/execution/limits.ts';
import type { Changed, ExecutionStore, OutputStore, Transition } from '../../core/ports.ts';
import { refuse } from '../../core/result.ts';

/**
 * Runs a transition that may take a text into the record. The text is stored before the record names it, and only then: one
 * that comes with a repeated or refused notification leaves nothing behind.
 */
export async function changeWithText<Refusal>(
  { executions, outputs }: { executions: ExecutionStore; outputs: OutputStore },
  { ref, text }: { ref: string; text: string },
  transitionFor: (output: Output) => Transition<Refusal>,
): Promise<Changed<Refusal>> {
  const output = { hash: createHash('sha256').update(text).digest('hex'), length: text.length };
  const transition = transitionFor(output);
  const tried = await executions.change<Refusal | 'not-stored'>(ref, (execution, now) => {
    const result = transition(execution, now);
    return result.ok && takes(execution, result.value, output) ? refuse('not-stored') : result;
  });
  if (tried.kind !== 'refused') return tried;
  const { refusal, execution } = tried;
  if (refusal !== 'not-stored') return { kind: 'refused', refusal, execution };
  return executions.change(ref, transitionFor(await outputs.put(ref, text)));
}

function takes(before: Execution, after: Execution, output: Output): boolean {
  return hasText(after, output) && !hasText(before, output);
}
