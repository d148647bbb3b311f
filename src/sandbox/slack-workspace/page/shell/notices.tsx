import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ControlBar, Message, Notice, Snapshot } from '../../people-api.ts';
import { pressControl } from '../state/acting.tsx';
import { useDirectory } from '../state/directory.tsx';
import { excerpt, plainText } from '../text/plain-text.ts';
import { Icon } from './icon.tsx';
import { placeBelow } from './menu.tsx';

/** Buttons for what a visitor can try around the workspace, and the latest line about what happened. */
export function ControlBarView({ bar: { controls, notices } }: { bar: ControlBar }) {
  const [dismissed, setDismissed] = useState(0);
  const latest = notices.at(-1);
  const notice = latest && latest.seq > dismissed ? latest : undefined;
  // Stays for the lines to come: screen readers notice only what changes within.
  const isEmpty = controls.length === 0 && !notice;
  return (
    <section className="control-bar" aria-label="Try it" data-region={!isEmpty || undefined} data-empty={isEmpty}>
      {!isEmpty && (
        <div className="control-bar-buttons">
          {controls.map(({ id, label, isBusy }) => (
            <button
              key={id}
              type="button"
              className="button"
              aria-busy={isBusy}
              // Not disabled, which would drop the focus.
              aria-disabled={isBusy}
              onClick={() => !isBusy && void pressControl(id).catch(() => undefined)}
            >
              {isBusy && <span className="spinner" aria-hidden="true" />}
              {label}
            </button>
          ))}
          {notices.length > 0 && <WhatHappened notices={notices} />}
        </div>
      )}
      <div role="status" aria-live="polite">
        {notice && (
          <p key={notice.seq} className="notice">
            <Time at={notice.at} /> <span className="notice-text">{notice.text}</span>
            <button
              type="button"
              className="button button-icon"
              aria-label="Dismiss"
              onClick={() => setDismissed(notice.seq)}
            >
              <Icon name="close" />
            </button>
          </p>
        )}
      </div>
    </section>
  );
}

/** The last lines once more, newest first. */
function WhatHappened({ notices }: { notices: Notice[] }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  // Its size is known only with the lines in it.
  useLayoutEffect(() => {
    if (!isOpen || !button.current || !popup.current) return;
    placeBelow(button.current, popup.current);
    popup.current.focus();
  }, [isOpen]);
  return (
    <>
      <button ref={button} type="button" className="button button-quiet" popoverTarget={id}>
        What happened
      </button>
      <div
        ref={popup}
        id={id}
        className="menu notices"
        popover="auto"
        tabIndex={-1}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <ol aria-label="What happened, newest first">
            {notices.toReversed().map(({ seq, at, text }) => (
              <li key={seq}>
                <Time at={at} /> <span className="notice-text">{text}</span>
              </li>
            ))}
          </ol>
        )}
      </div>
    </>
  );
}

function Time({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString('en-GB')}</time>;
}

/** Problems without a place of their own. Always rendered, so that screen readers notice new text. */
export function Toast({ text, dismiss }: { text: string | undefined; dismiss(): void }) {
  return (
    <div className="toasts" role="alert">
      {text !== undefined && (
        <p className="toast">
          {text}
          <button type="button" className="button button-icon" aria-label="Dismiss" onClick={dismiss}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}

const MAX_CHARACTERS = 300;

/** The messages that were there at the start or have been announced, with their texts. */
export type Heard = RefObject<Map<string, string> | undefined>;

/**
 * Announces new messages to screen readers: all in the open channel, elsewhere those that notify the member; and what becomes of
 * the one that has the focus. Must be rendered inside an open modal, as browsers ignore everything behind one.
 */
export function Announcer({ snapshot, place, heard }: { snapshot: Snapshot; place: string | undefined; heard: Heard }) {
  const directory = useDirectory();
  const [said, setSaid] = useState({ turn: 0, text: '' });
  useEffect(() => {
    const all = Object.values(snapshot.messages).flat();
    const before = heard.current;
    heard.current = new Map(all.map((message) => [keyOf(message), message.text]));
    if (!before) return;
    const direct = snapshot.channels.find(({ kind }) => kind === 'im')?.id;
    const isWorthSaying = ({ userId, channel, notifies }: Message) =>
      userId !== snapshot.me.id && ([place, direct].includes(channel) || notifies.includes(snapshot.me.id));
    const focused = document.activeElement?.closest<HTMLElement>('[data-ts]')?.dataset.ts;
    const fresh = all.filter((message) => {
      const earlier = before.get(keyOf(message));
      return earlier === undefined ? isWorthSaying(message) : message.ts === focused && message.text !== earlier;
    });
    if (fresh.length === 0) return;
    const sentences = fresh.map((message) => {
      const author = message.username ?? directory.memberName(message.userId);
      const place = message.ephemeral ? ', only visible to you' : message.threadTs ? ' in a thread' : '';
      return `${author}${place}: ${excerpt(plainText(message.text, directory), MAX_CHARACTERS) || 'a message'}`;
    });
    setSaid(({ turn }) => ({ turn: turn + 1, text: sentences.join('. ') }));
  }, [snapshot, place, directory, heard]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-announcer>
      {/* A new element each time, or a repeated text would not be announced. */}
      <span key={said.turn}>{said.text}</span>
    </div>
  );
}

function keyOf({ channel, ts }: Message): string {
  return `${channel} ${ts}`;
}
