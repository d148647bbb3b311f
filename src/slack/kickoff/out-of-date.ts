import type { Person } from '../../core/approval/approval.ts';
import type { SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { OpenView } from '../interaction/submission.ts';
import type { Say } from '../language/say.ts';
import { startRefusalModal } from './start-refusal-text.ts';
import { whyUnknownTo } from './why-not-start.ts';

/** The answer to a modal that another version opened. */
export async function outOfDate(
  context: ListenerContext,
  { view, by, say }: { view: OpenView; by: Person; say: Say },
): Promise<SubmissionAnswer> {
  const denial = await whyUnknownTo(context, by);
  if (!denial) return atFirstField(view, say('answer.newer-message'));
  const isLasting = denial.kind !== 'unsure';
  return { kind: isLasting ? 'update' : 'push', view: startRefusalModal({ crew: null, denial }, say) };
}

/** An error at a field keeps the form and everything typed in it. */
export function atFirstField({ values }: OpenView, problem: string): SubmissionAnswer {
  const [first] = Object.keys(values);
  return first === undefined ? { kind: 'close' } : { kind: 'errors', errors: { [first]: problem } };
}
