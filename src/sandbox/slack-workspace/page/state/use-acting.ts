import { useCallback, useState } from 'react';
import type { ActionOutcome, PersonAction } from '../../person-actions.ts';
import type { Act } from './acting.tsx';
import { act as request } from './requests.ts';

/** The toast stays until it is dismissed or the next action succeeds. */
export function useActing(as: string): { act: Act; toast: string | undefined; dismiss(): void } {
  const [toast, setToast] = useState<string>();
  const act = useCallback(
    async (action: PersonAction): Promise<ActionOutcome> => {
      const outcome = await request(as, action);
      const isToast = !outcome.ok && outcome.problem.at === 'toast';
      if (isToast) setToast(outcome.problem.text);
      else if (action.type !== 'mark-read') setToast(undefined);
      return outcome;
    },
    [as],
  );
  return { act, toast, dismiss: () => setToast(undefined) };
}
