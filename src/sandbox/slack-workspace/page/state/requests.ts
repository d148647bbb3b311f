import type { SignInChoice } from '../../people-api.ts';
import type { ActionOutcome, ChosenFile, PersonAction } from '../../person-actions.ts';
import type { WireEntry } from '../../wire-entry.ts';

/** Longer than an app may take to answer. */
const TIMEOUT_MS = 30_000;

/** Acts as a member. Never rejects: an unreachable or silent server is a problem like any other. */
export async function act(as: string, action: PersonAction): Promise<ActionOutcome> {
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

export async function fetchMembers(): Promise<SignInChoice> {
  return (await fetch('/api/members')).json();
}

export async function fetchWire(): Promise<WireEntry[]> {
  return (await fetch('/api/wire')).json();
}
