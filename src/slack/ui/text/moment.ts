import type { Millis } from '../../../core/time.ts';

/**
 * An instant as a date and time in each reader's time zone, after the words that stand before it in a sentence: Slack begins
 * such a text with a capital letter, as in `Today at`. https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function slackDate(at: Millis, before = ''): string {
  return `<!date^${Math.floor(at / 1000)}^${before}{date_short_pretty} at {time}|${before}${utc(at)}>`;
}

/** The time of day to the second. */
export function slackTime(at: Millis): string {
  return `<!date^${Math.floor(at / 1000)}^{time_secs}|${utc(at, 19)}>`;
}

/** The same for places where Slack renders no dates. */
export function utc(at: Millis, length = 16): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime())
    ? 'an unknown time'
    : `${date.toISOString().slice(0, length).replace('T', ' ')} UTC`;
}

const UNITS: [string, number][] = [
  ['day', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** A duration in at most two units: `45 s`, `3 min 20 s`, `2 h 5 min`, `3 days 4 h`. */
export function duration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms / 1_000) * 1_000);
  const first = UNITS.findIndex(([, unit]) => rounded >= unit);
  if (first === -1) return 'less than a second';
  const parts = UNITS.slice(first, first + 2).map(([name, unit], i) => {
    const amount = i === 0 ? Math.floor(rounded / unit) : Math.floor((rounded % (UNITS[first]?.[1] ?? 1)) / unit);
    return amount === 0 ? '' : `${amount} ${name}${name === 'day' && amount > 1 ? 's' : ''}`;
  });
  return parts.filter(Boolean).join(' ');
}

/** In words, at least one: `4 seconds`. */
export function seconds(ms: number): string {
  const amount = Math.max(1, Math.round(ms / 1_000));
  return amount === 1 ? '1 second' : `${amount} seconds`;
}

/** A duration that isn't updated every second, so it is imprecise: `about 3 min`. */
export function roughly(ms: number): string {
  const largest = UNITS.find(([, unit]) => ms >= unit);
  if (!largest || ms < 10_000) return 'a few seconds';
  const [name, unit] = largest;
  const amount = Math.floor(ms / unit);
  return `about ${amount} ${name}${name === 'day' && amount > 1 ? 's' : ''}`;
}
