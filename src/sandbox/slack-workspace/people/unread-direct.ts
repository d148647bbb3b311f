import type { WorkspaceState } from '../state/workspace-state.ts';

/** How many direct messages from the app each person hasn't read, for those with any. */
export function unreadDirect({ channels, messages, reads }: WorkspaceState): { [memberId: string]: number } {
  const personIn = new Map(channels.filter(({ kind }) => kind === 'im').map(({ id, memberIds }) => [id, memberIds[0]]));
  const counts: { [memberId: string]: number } = {};
  for (const { channel, ts, userId, tombstone, onlyFor } of messages) {
    const person = personIn.get(channel);
    if (person === undefined || userId === person || tombstone || onlyFor !== undefined) continue;
    if (Number(ts) > Number(reads[channel]?.[person] ?? 0)) counts[person] = (counts[person] ?? 0) + 1;
  }
  return counts;
}
