import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';

/**
 * Returns a date and time in each reader's time zone. Slack writes the first letter of its text as a capital, as in `Today at`, so the
 * words before a date within a sentence belong to that text. https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function slackDate(at: Millis, say: Say, before = ''): string {
  const date = say('date.at', { date: '{date_short_pretty}', time: '{time}' });
  return `<!date^${Math.floor(at / 1000)}^${before}${date}|${before}${utc(at, say)}>`;
}

const DATE = '\0';

/** Returns a sentence with a date in it: `open until tomorrow at 9:00`. The sentence must have no markup before the date. */
export function withDate(at: Millis, say: Say, sentence: (date: string) => string): string {
  const [, space = '', before = '', after = ''] = /^(\s*)(.*)\0(.*)$/s.exec(sentence(DATE)) ?? [];
  return `${space}${slackDate(at, say, before)}${after}`;
}

/** Returns a date without the time, in each reader's time zone. */
export function slackDay(at: Millis, say: Say): string {
  return `<!date^${Math.floor(at / 1000)}^{date_short}|${utc(at, say, 10)}>`;
}

/** Returns the last moment of a period. What ends at midnight lasts through the day before. */
export function lastMoment(until: Millis): Millis {
  return until - 1_000;
}

/** Returns the time of day to the second, in each reader's time zone. */
export function slackTime(at: Millis, say: Say): string {
  return `<!date^${Math.floor(at / 1000)}^{time_secs}|${utc(at, say, 19)}>`;
}

/** Returns an instant in UTC, for places where Slack renders no dates. */
export function utc(at: Millis, say: Say, length = 16): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? say('date.unknown')
    : `${date.toISOString().slice(0, length).replace('T', ' ')} UTC`;
}

const UNITS = [
  ['duration.days-in-words', 24 * 60 * 60_000],
  ['duration.hour', 60 * 60_000],
  ['duration.minute', 60_000],
  ['duration.second', 1_000],
] as const;

/** Returns a duration in at most two units: `45 s`, `3 min 20 s`, `2 h 5 min`, `3 days 4 h`. */
export function duration(ms: number, say: Say): string {
  const rounded = Math.max(0, Math.round(ms / 1_000) * 1_000);
  const first = UNITS.findIndex(([, unit]) => rounded >= unit);
  if (first === -1) return say('duration.instant');
  const parts = UNITS.slice(first, first + 2).map(([key, unit], i) => {
    const count = i === 0 ? Math.floor(rounded / unit) : Math.floor((rounded % (UNITS[first]?.[1] ?? 1)) / unit);
    return count === 0 ? '' : say(key, { count });
  });
  return parts.filter(Boolean).join(' ');
}

const UNITS_IN_WORDS = [
  ['duration.days-in-words', 24 * 60 * 60_000],
  ['duration.hours-in-words', 60 * 60_000],
  ['duration.minutes-in-words', 60_000],
  ['duration.seconds-in-words', 1_000],
] as const;

/** Returns a duration as an operator sets it, in one unit: `3 days`, `36 hours`, `1 minute`. */
export function durationInWords(ms: Millis, say: Say): string {
  const [key, unit] = UNITS_IN_WORDS.find(([, each]) => ms % each === 0) ?? ['duration.seconds-in-words', 1_000];
  return say(key, { count: ms / unit });
}

/** Returns a number of seconds in words, at least one: `4 seconds`. */
export function seconds(ms: number, say: Say): string {
  return say('duration.seconds-in-words', { count: Math.max(1, Math.round(ms / 1_000)) });
}

/** Returns a duration that isn't updated every second, so it is imprecise: `about 3 min`. */
export function roughly(ms: number, say: Say): string {
  const largest = UNITS.find(([, unit]) => ms >= unit);
  if (!largest || ms < 10_000) return say('duration.a-few-seconds');
  const [key, unit] = largest;
  return say('duration.about', { duration: say(key, { count: Math.floor(ms / unit) }) });
}
