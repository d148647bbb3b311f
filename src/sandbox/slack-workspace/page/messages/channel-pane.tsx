import { useCallback, useMemo, useRef, useState } from 'react';
import type { Channel, Message, Shortcut } from '../../people-api.ts';
import { Composer } from '../composer/composer.tsx';
import { useAct } from '../state/acting.tsx';
import type { Route } from '../state/route.ts';
import { MessageList } from './message-list.tsx';

type Props = { channel: Channel; messages: Message[]; meId: string; route: Route; shortcuts: Shortcut[] };

export function ChannelPane({ channel, messages, meId, route, shortcuts }: Props) {
  const act = useAct();
  const [readTs] = useState(channel.lastReadTs);
  const shown = useMemo(() => messages.filter(isInChannel), [messages]);
  const firstNew = shown.find(({ ts, userId, ephemeral }) => ts > readTs && userId !== meId && !ephemeral);
  // If everything is new, the divider is pointless.
  const firstNewTs = firstNew === shown[0] ? undefined : firstNew?.ts;
  const latestTs = messages.filter(({ ephemeral }) => !ephemeral).at(-1)?.ts;
  const isUnread =
    channel.isMember && (channel.unread > 0 || (latestTs !== undefined && latestTs > channel.lastReadTs));
  const marked = useRef<string>(undefined);
  const markRead = useCallback(() => {
    if (!isUnread || latestTs === undefined || marked.current === latestTs) return;
    marked.current = latestTs;
    void act({ type: 'mark-read', channel: channel.id, ts: latestTs });
  }, [act, channel.id, isUnread, latestTs]);
  const name = channel.kind === 'im' ? channel.name : `#${channel.name}`;
  return (
    <>
      <MessageList
        label={`Messages in ${name}`}
        where="channel"
        messages={shown}
        all={messages}
        shortcuts={shortcuts}
        highlightTs={route.ts}
        firstNewTs={firstNewTs}
        onReachEnd={markRead}
      >
        {shown.length === 0 && (
          <p className="empty">{channel.isArchived ? `No messages in ${name}.` : `No messages in ${name} yet.`}</p>
        )}
      </MessageList>
      <ChannelFoot channel={channel} name={name} />
    </>
  );
}

function ChannelFoot({ channel, name }: { channel: Channel; name: string }) {
  const act = useAct();
  if (channel.isArchived) return <p className="channel-foot">This channel is archived. You can’t post here.</p>;
  if (channel.isReadOnly) return <p className="channel-foot">Sending messages to this app has been turned off.</p>;
  if (channel.isMember) return <Composer channel={channel.id} label={`Message ${name}`} />;
  return (
    <p className="channel-foot">
      You are viewing {name}.{' '}
      <button
        type="button"
        className="button button-primary"
        onClick={() => void act({ type: 'join', channel: channel.id })}
      >
        Join channel
      </button>
    </p>
  );
}

/** Replies appear in the channel only if they were also sent there. */
function isInChannel({ threadTs, ts, broadcast }: Message): boolean {
  return threadTs === undefined || threadTs === ts || broadcast;
}
