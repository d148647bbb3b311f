import { createContext, useContext } from 'react';
import type { ActionOutcome, PersonAction } from '../../person-actions.ts';

/** Acts as the chosen member. Problems without a place of their own appear as a toast. */
export type Act = (action: PersonAction) => Promise<ActionOutcome>;

const ActContext = createContext<Act | undefined>(undefined);
export const ActProvider = ActContext.Provider;

export function useAct(): Act {
  const act = useContext(ActContext);
  if (!act) throw new Error('useAct needs an ActProvider');
  return act;
}
