import { createContext, useCallback, useContext, useState } from 'react';
import type { SignInChoice } from '../../people-api.ts';
import type { ActionOutcome, ChosenFile, PersonAction } from '../../person-actions.ts';
import type { WireEntry } from '../../wire-entry.ts';

/** Acts as the chosen member. Problems without a place of their own appear as a toast. */
export type Act = (action: PersonAction) => Promise<ActionOutcome>;

const ActContext = createContext<Act | undefined>(undefined);
export const ActProvider = ActContext.Provider;

export function useAct(): Act {
  const act = useContext(ActContext);
  if (!act) throw new Error('useAct needs an ActProvider');
  return act;
}

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

/** Longer than an app may take to answer. */
const TIMEOUT_MS = 30_000;

/** Acts as a member. Never rejects: an unreachable or silent server is a problem like any other. */
async function request(as: string, action: PersonAction): Promise<ActionOutcome> {
  try {
    const response = await fetch(`/api/act?as=${encodeURIComponent(as)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return await response.json();
  } catch {
    const text = 'The workspace didn’t respond. Is it still running?';
    return { ok: false, problem: { code: 'workspace_unreachable', text, at: 'toast' } };
  }
}

/** Uploads a file. Rejects where the workspace can't be reached or doesn't take it. */
export async function upload(as: string, file: File): Promise<ChosenFile> {
  const query = new URLSearchParams({ as, name: file.name });
  const response = await fetch(`/api/uploads?${query}`, { method: 'POST', body: file });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

/** Presses a button of the bar. Rejects where the workspace can't be reached. */
export async function pressControl(id: string): Promise<void> {
  await fetch(`/api/controls?${new URLSearchParams({ id })}`, { method: 'POST' });
}

export async function fetchMembers(): Promise<SignInChoice> {
  return (await fetch('/api/members')).json();
}

export async function fetchWire(): Promise<WireEntry[]> {
  return (await fetch('/api/wire')).json();
}
