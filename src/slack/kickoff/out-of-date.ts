import type { ViewOutput } from '@slack/bolt';
import type { Person } from '../../core/approval/approval.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ViewAnswer } from '../interaction/listeners.ts';
import type { Say } from '../language/say.ts';
import { startRefusalModal } from './start-refusal-text.ts';
import { whyUnknownTo } from './why-not-start.ts';

/** The answer to a modal that another version opened. */
export async function outOfDate(
  context: ListenerContext,
  { view, by, say }: { view: ViewOutput; by: Person; say: Say },
): Promise<ViewAnswer> {
  const denial = await whyUnknownTo(context, by);
  if (!denial) return atFirstField(view, say('answer.newer-message'));
  const isLasting = denial.kind !== 'unsure';
  return { response_action: isLasting ? 'update' : 'push', view: startRefusalModal({ crew: null, denial }, say) };
}

/** An error at a field keeps the form and everything typed in it. */
export function atFirstField({ state: { values } }: ViewOutput, problem: string): ViewAnswer {
  const [first] = Object.keys(values);
  return first === undefined ? undefined : { response_action: 'errors', errors: { [first]: problem } };
}
