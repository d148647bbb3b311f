import type { Message } from '../../people-api.ts';
import { formatSlackDate } from '../text/format-slack-date.ts';

const CONTINUES_WITHIN_S = 300;

export function DayDivider({ message }: { message: Message }) {
  return (
    <p className="day-divider">{formatSlackDate(Number(message.ts) * 1000, '{day_divider_pretty}', Date.now())}</p>
  );
}

export function dayOf({ ts }: Message): string {
  return new Date(Number(ts) * 1000).toDateString();
}

/** Same author within five minutes, and both are ordinary messages. */
export function isContinuation(previous: Message, message: Message): boolean {
  const isPlain = (candidate: Message) => !candidate.ephemeral && !candidate.broadcast && !candidate.tombstone;
  return (
    previous.userId === message.userId &&
    previous.username === message.username &&
    isPlain(previous) &&
    isPlain(message) &&
    Number(message.ts) - Number(previous.ts) < CONTINUES_WITHIN_S &&
    dayOf(previous) === dayOf(message)
  );
}
