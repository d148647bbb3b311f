import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Channel, Message, Shortcut, ThreadStatus } from '../../people-api.ts';
import { Composer } from '../composer/composer.tsx';
import { isTouched } from '../shell/focus.ts';
import { Icon } from '../shell/icon.tsx';
import { useAct } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import type { Route } from '../state/route.ts';
import { navigate } from '../state/use-route.ts';
import { MessageList } from './message-list.tsx';

type Props = { channel: Channel; messages: Message[]; meId: string; route: Route; shortcuts: Shortcut[] };

export function ChannelPane({ channel, messages, meId, route, shortcuts }: Props) {
  const act = useAct();
  const [readTs] = useState(channel.lastReadTs);
  const visible = useMemo(() => messages.filter(isInChannel), [messages]);
  const firstNew = visible.find(
    ({ ts, userId, ephemeral, notice }) => ts > readTs && userId !== meId && !ephemeral && !notice,
  );
  // If everything is new, the divider is pointless.
  const firstNewTs = firstNew === visible[0] ? undefined : firstNew?.ts;
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
        messages={visible}
        all={messages}
        shortcuts={shortcuts}
        highlightTs={route.ts}
        firstNewTs={firstNewTs}
        onReachEnd={markRead}
      >
        {visible.length === 0 && (
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

type ThreadProps = {
  channel: Channel;
  messages: Message[];
  threadTs: string;
  highlightTs: string | undefined;
  status: ThreadStatus | undefined;
  shortcuts: Shortcut[];
};

const nothing = () => undefined;

export function ThreadPanel({ channel, messages, threadTs, highlightTs, status, shortcuts }: ThreadProps) {
  const panel = useRef<HTMLElement>(null);
  const visible = useMemo(
    () => messages.filter(({ ts, threadTs: root }) => ts === threadTs || root === threadTs),
    [messages, threadTs],
  );
  const replies = visible.filter(({ ts, ephemeral }) => ts !== threadTs && !ephemeral).length;
  const close = () => {
    navigate({ place: channel.id });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.main [data-ts="${threadTs}"]`)?.focus());
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening another thread moves the focus again
  useEffect(() => {
    if (highlightTs === undefined && !isTouched()) panel.current?.querySelector<HTMLElement>('textarea')?.focus();
  }, [threadTs]);
  return (
    <aside
      ref={panel}
      className="thread"
      aria-label="Thread"
      data-region
      onKeyDown={(event) => event.key === 'Escape' && !event.defaultPrevented && close()}
    >
      <header className="pane-head">
        <h2>Thread</h2>
        <span className="pane-note">
          {channel.kind === 'im' ? channel.name : `#${channel.name}`} · {replies} {replies === 1 ? 'reply' : 'replies'}
        </span>
        <button type="button" className="button button-icon" aria-label="Close thread" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <MessageList
        label="Messages in this thread"
        where="thread"
        messages={visible}
        all={messages}
        shortcuts={shortcuts}
        highlightTs={highlightTs}
        onReachEnd={nothing}
      >
        {visible.length === 0 && <p className="empty">This thread no longer exists.</p>}
      </MessageList>
      <div role="status">{status && <StatusView key={status.text} status={status} />}</div>
      {channel.isMember && !channel.isArchived && !channel.isReadOnly && (
        <Composer channel={channel.id} threadTs={threadTs} label="Reply in thread" />
      )}
    </aside>
  );
}

const NEXT_AFTER_MS = 3_000;

/** Shows a status such as “Signoff is thinking…”, with messages that take turns in its place. https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
function StatusView({ status: { text, username, loadingMessages } }: { status: ThreadStatus }) {
  const { members } = useDirectory();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => setTurn((was) => was + 1), NEXT_AFTER_MS);
    return () => window.clearInterval(timer);
  }, []);
  const name = username ?? members.find(({ kind }) => kind === 'app')?.realName;
  return (
    <p className="thread-status">
      <span className="spinner" aria-hidden="true" />{' '}
      {loadingMessages[turn % loadingMessages.length] ?? `${name} ${text}`}
    </p>
  );
}
