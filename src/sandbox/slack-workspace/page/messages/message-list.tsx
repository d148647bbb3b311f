import { type FocusEvent, Fragment, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Message, Shortcut } from '../../people-api.ts';
import { Icon } from '../shell/icon.tsx';
import { useDirectory } from '../state/directory.tsx';
import { useNarrow } from '../state/use-narrow.ts';
import { excerpt, plainText } from '../text/plain-text.ts';
import { DayDivider, dayOf, isContinuation } from './day-divider.tsx';
import { MessageView } from './message.tsx';
import { moveBetweenMessages } from './move-between-messages.ts';
import { useStickyScroll } from './use-sticky-scroll.ts';

type Props = {
  label: string;
  where: 'channel' | 'thread';
  messages: Message[];
  /** All messages of the channel, to find the roots of broadcast replies. */
  all: Message[];
  shortcuts: Shortcut[];
  highlightTs: string | undefined;
  /** The first unread message. */
  firstNewTs?: string | undefined;
  onReachEnd(): void;
  children?: ReactNode;
};

/** Messages, oldest first. Follows new messages, unless the reader has scrolled up. */
export function MessageList({
  label,
  where,
  messages,
  all,
  shortcuts,
  highlightTs,
  firstNewTs,
  onReachEnd,
  children,
}: Props) {
  const directory = useDirectory();
  const { timeZone } = directory;
  const isNarrow = useNarrow();
  const [focusedTs, setFocusedTs] = useState<string>();
  const latest = messages.at(-1);
  const latestTs = latest?.ts;
  const { scroller, content, isAtEnd, toEnd } = useStickyScroll(highlightTs, latestTs, onReachEnd);
  const isAnswer = latest !== undefined && (latest.userId === directory.meId || latest.ephemeral);
  const seenTs = useRef(latestTs);
  // The member's own messages and private answers are what they look for next, even after scrolling up.
  useEffect(() => {
    const isNew = latestTs !== undefined && latestTs > (seenTs.current ?? '');
    seenTs.current = latestTs;
    if (isNew && isAnswer) toEnd();
  }, [latestTs, isAnswer, toEnd]);
  const roots = useMemo(() => new Map(all.map((message) => [message.ts, message])), [all]);
  const currentTs = messages.some(({ ts }) => ts === focusedTs) ? focusedTs : latestTs;
  const remember = (event: FocusEvent) => setFocusedTs(event.target.closest<HTMLElement>('[data-ts]')?.dataset.ts);
  return (
    <div className="list-frame">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the messages inside take the focus and the keys */}
      <div className="list" ref={scroller} onFocus={remember} onKeyDown={moveBetweenMessages}>
        <section className="list-content" ref={content} aria-label={label}>
          {children}
          {messages.map((message, index) => {
            const previous = messages[index - 1];
            const root = message.broadcast && where === 'channel' ? roots.get(message.threadTs ?? '') : undefined;
            const isFirstNew = message.ts === firstNewTs;
            return (
              <Fragment key={message.ts}>
                {dayOf(message, timeZone) !== (previous && dayOf(previous, timeZone)) && (
                  <DayDivider message={message} />
                )}
                {isFirstNew && <p className="new-divider">New</p>}
                <MessageView
                  message={message}
                  where={where}
                  isContinuation={
                    !isNarrow &&
                    !isFirstNew &&
                    previous !== undefined &&
                    isContinuation({ previous, message, timeZone })
                  }
                  isCurrent={message.ts === currentTs}
                  isHighlighted={message.ts === highlightTs}
                  rootExcerpt={root && excerpt(plainText(root.text, directory), 60)}
                  shortcuts={shortcuts}
                />
              </Fragment>
            );
          })}
        </section>
      </div>
      {!isAtEnd && (
        <button type="button" className="button to-end" onClick={toEnd}>
          Jump to latest <Icon name="arrowDown" />
        </button>
      )}
    </div>
  );
}
