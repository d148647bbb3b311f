import { findApproval } from '../../core/execution/execution.ts';
import { cardModel } from '../../core/messages/view-models.ts';
import type { ListenerContext } from '../app/context.ts';
import type { TextKey } from '../ui/button-value.ts';
import { toldText } from '../ui/told-text.ts';

/** What the request that asks about a text has come to. */
export interface AboutText {
  /** Whether it can be decided beside the text: what may be a repeated notice is decided on its card, which warns. */
  isOpen: boolean;
  /** What the crew gets with the decision, or what asked for the round. */
  feedback: { kind: 'told' | 'asked-for'; text: string } | null;
}

/** For a text that no request asks about. */
export const NO_REQUEST: AboutText = { isOpen: false, feedback: null };

const RECENT_MS = 1_000;

/** Never throws: the text can be read even if nobody knows more about it. */
export async function findAboutText({ store, log }: ListenerContext, key: TextKey): Promise<AboutText> {
  if (key.approvalId === undefined) return NO_REQUEST;
  try {
    const execution = (await store.load(key.ref, { mostAgeMs: RECENT_MS }))?.execution;
    const approval = execution && findApproval(execution, key.approvalId);
    if (!approval || approval.output.hash !== key.hash) return NO_REQUEST;
    const { state, votes, ledBy } = cardModel(execution, approval);
    const told = 'decision' in state && state.decision ? toldText(state.decision, votes) : null;
    const asked = state.kind === 'pending' ? (ledBy?.feedback ?? null) : null;
    return {
      isOpen: state.kind === 'pending' && approval.repeatsRound === null,
      feedback: told ? { kind: 'told', text: told } : asked ? { kind: 'asked-for', text: asked } : null,
    };
  } catch (error) {
    log.warn({ ref: key.ref, err: error }, 'could not find out what a text is asked about');
    return NO_REQUEST;
  }
}
