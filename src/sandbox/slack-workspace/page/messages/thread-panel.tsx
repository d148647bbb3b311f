import { useEffect, useMemo, useRef } from 'react';
import type { Channel, Message, Shortcut, ThreadStatus } from '../../people-api.ts';
import { Composer } from '../composer/composer.tsx';
import { Icon } from '../shell/icon.tsx';
import { navigate } from '../state/use-route.ts';
import { MessageList } from './message-list.tsx';

type Props = {
  channel: Channel;
  messages: Message[];
  threadTs: string;
  highlightTs: string | undefined;
  shortcuts: Shortcut[];
  appName: string;
  statuses: ThreadStatus[];
};

const nothing = () => undefined;

export function ThreadPanel({ channel, messages, threadTs, highlightTs, shortcuts, appName, statuses }: Props) {
  const panel = useRef<HTMLElement>(null);
  const shown = useMemo(
    () => messages.filter(({ ts, threadTs: root }) => ts === threadTs || root === threadTs),
    [messages, threadTs],
  );
  const replies = shown.filter(({ ts, ephemeral }) => ts !== threadTs && !ephemeral).length;
  const status = statuses.find((one) => one.channel === channel.id && one.threadTs === threadTs);
  const close = () => {
    navigate({ place: channel.id });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`.main [data-ts="${threadTs}"]`)?.focus());
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening another thread moves the focus again
  useEffect(() => {
    // On a touch screen, focusing would open the keyboard over the thread.
    const isTouched = window.matchMedia('(hover: none)').matches;
    if (highlightTs === undefined && !isTouched) panel.current?.querySelector<HTMLElement>('textarea')?.focus();
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
        messages={shown}
        all={messages}
        shortcuts={shortcuts}
        highlightTs={highlightTs}
        onReachEnd={nothing}
      >
        {shown.length === 0 && <p className="empty">This thread no longer exists.</p>}
      </MessageList>
      <p className="thread-status" role="status">
        {status && `${status.username ?? appName} ${status.text}`}
      </p>
      {channel.isMember && !channel.isArchived && !channel.isReadOnly && (
        <Composer channel={channel.id} threadTs={threadTs} label="Reply in thread" />
      )}
    </aside>
  );
}
