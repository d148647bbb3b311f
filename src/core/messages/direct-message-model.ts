import type { Approval } from '../approval/approval.ts';
import type { Execution } from '../execution/execution.ts';
import type { CardModel, CardState } from './view-models.ts';
import { cardModel } from './view-models.ts';

/** What a direct message shows: the card, or one line of what became of the request. */
interface DirectMessageModel {
  form: 'card' | 'line';
  model: CardModel;
}

/** The card as long as the person can do something with it: until it is decided, and then if they are the one who decided it. */
export function directMessageModel(execution: Execution, approval: Approval, to: string): DirectMessageModel {
  // That texts expire is told in threads: it would wake all direct messages.
  const { textGoneAt: _, ...model } = cardModel(execution, approval);
  const { state } = model;
  const isTheirs = 'decision' in state && state.decision?.by?.id === to;
  if (state.kind === 'pending' || isTheirs) return { form: 'card', model };
  return { form: 'line', model: { ...model, state: outcomeOf(state) } };
}

/** Without how the crew is told, which changes several times. */
function outcomeOf(state: CardState): CardState {
  switch (state.kind) {
    case 'undoable':
    case 'telling':
    case 'told':
    case 'failed':
      return { kind: 'told', decision: state.decision };
    case 'pending':
    case 'superseded':
    case 'expired':
      return state;
  }
}
