import {
  type FocusEvent,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { Message, Shortcut } from '../../people-api.ts';
import { Icon } from '../shell/icon.tsx';
import { useDirectory } from '../state/directory.tsx';
import { englishLike, formatSlackDate, wallClock } from '../text/dates.ts';
import { excerpt, plainText } from '../text/plain-text.ts';
import { MessageView } from './message.tsx';

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

const CONTINUES_WITHIN_S = 300;

function DayDivider({ message }: { message: Message }) {
  const { timeZone, locale } = useDirectory();
  const when = { atMs: Number(message.ts) * 1000, nowMs: Date.now(), timeZone, locale: englishLike(locale) };
  return <p className="day-divider">{formatSlackDate('{day_divider_pretty}', when)}</p>;
}

function dayOf({ ts }: Message, timeZone: string): string {
  return wallClock(Number(ts) * 1000, timeZone)
    .toISOString()
    .slice(0, 10);
}

type Followed = { previous: Message; message: Message; timeZone: string };

/** Same author within five minutes, and both are ordinary messages. */
function isContinuation({ previous, message, timeZone }: Followed): boolean {
  const isPlain = (candidate: Message) =>
    !candidate.ephemeral && !candidate.broadcast && !candidate.tombstone && !candidate.notice;
  return (
    previous.userId === message.userId &&
    previous.username === message.username &&
    isPlain(previous) &&
    isPlain(message) &&
    Number(message.ts) - Number(previous.ts) < CONTINUES_WITHIN_S &&
    dayOf(previous, timeZone) === dayOf(message, timeZone)
  );
}

/**
 * Keys in a message list. On a message: arrows, Home and End move, `t` or → opens the thread, `m` the menu. Inside a
 * message: Esc returns to the message.
 */
function moveBetweenMessages(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  const message = target.closest<HTMLElement>('[data-ts]');
  if (!message || target.closest('[role="menu"], dialog')) return;
  if (target !== message) {
    if (key === 'Escape') {
      event.stopPropagation();
      message.focus();
    }
    return;
  }
  const messages = [...currentTarget.querySelectorAll<HTMLElement>('[data-ts]')];
  const at = messages.indexOf(message);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: messages.length - 1 }[key];
  if (to !== undefined) {
    event.preventDefault();
    const next = messages[Math.max(0, Math.min(to, messages.length - 1))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
    return;
  }
  const control = { t: '[data-reply]', ArrowRight: '[data-reply]', m: '.toolbar [aria-haspopup]' }[key];
  if (control === undefined) return;
  event.preventDefault();
  message.querySelector<HTMLElement>(control)?.click();
}

const NEAR_END_PX = 48;

/**
 * Keeps a growing list scrolled to its end, unless the reader has scrolled up, and scrolls to the highlighted message.
 * Otherwise the browser's scroll anchoring keeps the position.
 */
function useStickyScroll(highlightTs: string | undefined, latestTs: string | undefined, onReachEnd: () => void) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLElement>(null);
  const isStuck = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, []);

  useLayoutEffect(() => {
    const list = scroller.current;
    if (!list || !content.current) return;
    let lastTop = Infinity;
    const update = () => {
      const top = list.scrollHeight - list.clientHeight;
      // A reader who was at the end of a list that has grown since isn't at its end yet, but is about to be.
      isStuck.current = list.scrollTop > Math.min(top, lastTop) - NEAR_END_PX;
      lastTop = top;
      setAtEnd(isStuck.current);
    };
    const follow = new ResizeObserver(() => {
      if (isStuck.current) toEnd();
      update();
    });
    follow.observe(content.current);
    follow.observe(list);
    list.addEventListener('scroll', update, { passive: true });
    return () => {
      follow.disconnect();
      list.removeEventListener('scroll', update);
    };
  }, [toEnd]);

  useEffect(() => {
    const message = highlightTs && content.current?.querySelector<HTMLElement>(`[data-ts="${highlightTs}"]`);
    if (!message) return;
    isStuck.current = false;
    message.scrollIntoView({ block: 'center' });
    message.focus({ preventScroll: true });
  }, [highlightTs]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message at the end counts as reaching it again
  useEffect(() => {
    if (isAtEnd) onReachEnd();
  }, [isAtEnd, latestTs, onReachEnd]);

  return { scroller, content, isAtEnd, toEnd };
}

/** The condition of the styles: no pointer that hovers, or no more room than on a phone. */
const narrow = window.matchMedia('(hover: none), (width <= 720px)');

/** Returns true if the actions of messages are always visible, in a line of their own. */
function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}

function subscribe(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}
