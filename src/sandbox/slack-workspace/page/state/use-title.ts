import { useEffect } from 'react';
import type { Channel, Snapshot } from '../../people-api.ts';

/** The tab's title says where one is and how much waits. */
export function useTitle({ app, channels, team, me }: Snapshot, channel: Channel | undefined): void {
  const waiting = channels.reduce((sum, { mentions }) => sum + mentions, 0);
  const place = !channel || channel.kind === 'im' ? app.name : `#${channel.name}`;
  const title = `${waiting > 0 ? `(${waiting}) ` : ''}${place} · ${me.realName} · ${team.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
