import type { Message, Snapshot } from '../people-api.ts';

/** What a session sees, which is named by the latest `ts` when it began: no ephemeral messages from before it. */
export function inSession(snapshot: Snapshot, session: string): Snapshot {
  const isHere = ({ ephemeral, ts }: Message) => !ephemeral || Number(ts) > Number(session);
  const messages = Object.entries(snapshot.messages).map(([id, all]) => [id, all.filter(isHere)]);
  return { ...snapshot, messages: Object.fromEntries(messages) };
}
