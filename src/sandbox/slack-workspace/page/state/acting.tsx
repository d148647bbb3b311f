import { createContext, useContext } from 'react';
import type { ActionOutcome, PersonAction } from '../../person-actions.ts';

/** Does something as the member whom one plays; problems that have no place of their own show in passing. */
export type Act = (action: PersonAction) => Promise<ActionOutcome>;

const ActContext = createContext<Act | undefined>(undefined);
export const ActProvider = ActContext.Provider;

export function useAct(): Act {
  const act = useContext(ActContext);
  if (!act) throw new Error('Nobody is being played');
  return act;
}
