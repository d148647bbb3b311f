import type { Message } from '../../people-api.ts';
import { useDirectory } from '../state/directory.tsx';
import { formatSlackDate } from '../text/format-slack-date.ts';
import { wallClock } from '../text/wall-clock.ts';

const CONTINUES_WITHIN_S = 300;

export function DayDivider({ message }: { message: Message }) {
  const { timeZone } = useDirectory();
  const when = { atMs: Number(message.ts) * 1000, nowMs: Date.now(), timeZone };
  return <p className="day-divider">{formatSlackDate('{day_divider_pretty}', when)}</p>;
}

export function dayOf({ ts }: Message, timeZone: string): string {
  return wallClock(Number(ts) * 1000, timeZone)
    .toISOString()
    .slice(0, 10);
}

type Followed = { previous: Message; message: Message; timeZone: string };

/** Same author within five minutes, and both are ordinary messages. */
export function isContinuation({ previous, message, timeZone }: Followed): boolean {
  const isPlain = (candidate: Message) => !candidate.ephemeral && !candidate.broadcast && !candidate.tombstone;
  return (
    previous.userId === message.userId &&
    previous.username === message.username &&
    isPlain(previous) &&
    isPlain(message) &&
    Number(message.ts) - Number(previous.ts) < CONTINUES_WITHIN_S &&
    dayOf(previous, timeZone) === dayOf(message, timeZone)
  );
}
