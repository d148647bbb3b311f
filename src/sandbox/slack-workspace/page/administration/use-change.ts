import { useState } from 'react';
import type { AdminChange } from '../../administration/change.ts';
import { useAct } from '../state/acting.tsx';

/** Makes a change, and resolves to whether it was made. */
export type Change = (change: AdminChange) => Promise<boolean>;

/** What came of the last change: words for the person. */
type Outcome = { isRefused: boolean; text: string };

export function useChange(): { change: Change; outcome: Outcome | undefined } {
  const act = useAct();
  const [outcome, setOutcome] = useState<Outcome>();
  const change: Change = async (made) => {
    const answer = await act({ type: 'administer', change: made });
    setOutcome(answer.ok ? { isRefused: false, text: 'Saved.' } : { isRefused: true, text: answer.problem.text });
    return answer.ok;
  };
  return { change, outcome };
}
