import { type RefObject, useEffect, useState } from 'react';
import type { Message, Snapshot } from '../../people-api.ts';
import { useDirectory } from '../state/directory.tsx';
import { excerpt, plainText } from '../text/plain-text.ts';
import { Icon } from './icon.tsx';

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

/** The messages that were there at the start or have been announced. */
export type Heard = RefObject<Set<string> | undefined>;

/**
 * Announces new messages to screen readers: all in the open channel, elsewhere those that notify the member. Must be
 * rendered inside an open modal, as browsers ignore everything behind one.
 */
export function Announcer({ snapshot, place, heard }: { snapshot: Snapshot; place: string | undefined; heard: Heard }) {
  const directory = useDirectory();
  const [said, setSaid] = useState({ turn: 0, text: '' });
  useEffect(() => {
    const all = Object.values(snapshot.messages).flat();
    const before = heard.current;
    heard.current = new Set(all.map(keyOf));
    if (!before) return;
    const direct = snapshot.channels.find(({ kind }) => kind === 'im')?.id;
    const isWorthSaying = ({ userId, channel, notifies }: Message) =>
      userId !== snapshot.me.id && ([place, direct].includes(channel) || notifies.includes(snapshot.me.id));
    const fresh = all.filter((message) => !before.has(keyOf(message)) && isWorthSaying(message));
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
