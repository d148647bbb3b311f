import { useEffect } from 'react';
import type { Channel, Snapshot } from '../../people-api.ts';

/** Shows the place and the number of mentions in the tab's title. */
export function useTitle({ app, channels, team, me }: Snapshot, channel: Channel | undefined): void {
  const mentioned = channels.reduce((sum, { mentions }) => sum + mentions, 0);
  const place = !channel || channel.kind === 'im' ? app.name : `#${channel.name}`;
  const title = `${mentioned > 0 ? `(${mentioned}) ` : ''}${place} · ${me.realName} · ${team.name}`;
  useEffect(() => {
    document.title = title;
  }, [title]);
}
