import { type RefObject, useEffect, useState } from 'react';
import type { Message, Snapshot } from '../../people-api.ts';
import { useDirectory } from '../state/directory.tsx';
import { excerpt, plainText } from '../text/plain-text.ts';

const MOST_CHARACTERS = 300;

/** The messages that were there already, or were read out. */
export type Heard = RefObject<Set<string> | undefined>;

/**
 * Reads new messages out to screen readers: those of the open channel, and elsewhere those that notify the member. It
 * stands inside the open modal, if there is one, since a browser keeps silent about all that is behind that.
 */
export function Announcer({ snapshot, place, heard }: { snapshot: Snapshot; place: string | undefined; heard: Heard }) {
  const directory = useDirectory();
  const [said, setSaid] = useState({ turn: 0, text: '' });
  useEffect(() => {
    const all = Object.values(snapshot.messages).flat();
    const before = heard.current;
    heard.current = new Set(all.map(keyOf));
    if (!before) return;
    const isWorthSaying = (message: Message) =>
      message.userId !== snapshot.me.id && (message.channel === place || message.notifies.includes(snapshot.me.id));
    const fresh = all.filter((message) => !before.has(keyOf(message)) && isWorthSaying(message));
    if (fresh.length === 0) return;
    const sentences = fresh.map((message) => {
      const author = message.username ?? directory.memberName(message.userId);
      const place = message.ephemeral ? ', only visible to you' : message.threadTs ? ' in a thread' : '';
      return `${author}${place}: ${excerpt(plainText(message.text, directory), MOST_CHARACTERS) || 'a message'}`;
    });
    setSaid(({ turn }) => ({ turn: turn + 1, text: sentences.join('. ') }));
  }, [snapshot, place, directory, heard]);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-announcer>
      {/* A new element each time: the same words once more would else change nothing, and not be heard. */}
      <span key={said.turn}>{said.text}</span>
    </div>
  );
}

function keyOf({ channel, ts }: Message): string {
  return `${channel} ${ts}`;
}
