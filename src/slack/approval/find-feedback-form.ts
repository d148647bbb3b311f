import type { FeedbackTemplate } from '../../core/approval/policy/policy.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ShownRequest } from '../ui/button-value.ts';
import type { DecidableRequest } from './find-decidable-request.ts';

/** What the form is about, and what it offers. */
export interface FeedbackForm {
  model: ShownRequest & Pick<CardModel, 'crew' | 'taskName' | 'round' | 'output'>;
  /** The text that is to be changed; null if it is no longer stored. */
  output: string | null;
  templates: readonly FeedbackTemplate[];
  /** What this person has sent to the crew before, newest first. */
  recent: readonly string[];
}

/** What the form for feedback shows and offers to a person. Throws `StoreUnavailable`. */
export async function findFeedbackForm(
  { outputs, recentFeedback }: Pick<ListenerContext, 'outputs' | 'recentFeedback'>,
  { card: model, policy: { templates } }: Pick<DecidableRequest, 'card' | 'policy'>,
  personId: string,
): Promise<FeedbackForm> {
  const [output, recent] = await Promise.all([
    outputs.get(model.ref, model.output.hash),
    // It may lie on a node of a Cluster that is away while all else is there.
    recentFeedback.latest(model.crew, personId).catch(() => []),
  ]);
  const known = new Set(templates.map(({ text }) => text));
  return { model, output, templates, recent: recent.filter((text) => !known.has(text)) };
}
