import type { SignInChoice } from '../../people-api.ts';
import type { ActionOutcome, PersonAction } from '../../person-actions.ts';
import type { WireEntry } from '../../wire-entry.ts';

/** Longer than an app has for its answer, and than a test lets it wait. */
const PATIENCE_MS = 30_000;

/** Does something as a member. A server that can't be reached, or is silent, is answered like any other problem. */
export async function act(as: string, action: PersonAction): Promise<ActionOutcome> {
  try {
    const response = await fetch(`/api/act?as=${encodeURIComponent(as)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return await response.json();
  } catch {
    const text = 'The workspace cannot be reached. Is it still running?';
    return { ok: false, problem: { code: 'workspace_unreachable', text, at: 'toast' } };
  }
}

export async function fetchMembers(): Promise<SignInChoice> {
  return (await fetch('/api/members')).json();
}

export async function fetchWire(): Promise<WireEntry[]> {
  return (await fetch('/api/wire')).json();
}
