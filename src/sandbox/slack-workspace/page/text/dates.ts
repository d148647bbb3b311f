type When = {
  atMs: number;
  nowMs: number;
  timeZone: string;
  /** The reader's locale, such as `de-DE`: it decides the language, and whether a clock has 12 or 24 hours. */
  locale: string;
};

/**
 * Formats a Slack date in the time zone, the language and by the clock of the reader.
 * Returns undefined for an unknown placeholder: Slack then shows the fallback.
 * See https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function formatSlackDate(format: string, { atMs, nowMs, timeZone, locale }: When): string | undefined {
  const moment = { date: wallClock(atMs, timeZone), now: wallClock(nowMs, timeZone), locale };
  let unknown = false;
  const filled = format.replace(/\{(\w+)\}/g, (whole, name: string, at: number) => {
    const text = placeholder(name, moment);
    unknown ||= text === undefined;
    return at === 0 && name.endsWith('_pretty') ? capitalised(text ?? whole, locale) : (text ?? whole);
  });
  return unknown ? undefined : filled;
}

/** The fields of the reader's wall clock then and now, in UTC. */
type Moment = { date: Date; now: Date; locale: string };

function placeholder(name: string, moment: Moment): string | undefined {
  switch (name) {
    case 'date_num':
      return moment.date.toISOString().slice(0, 10);
    case 'date_slash':
      return part(moment, { month: '2-digit', day: '2-digit', year: 'numeric' });
    case 'date':
      return fullDate(moment);
    case 'date_long':
      return moment.locale === 'en-US'
        ? `${part(moment, { weekday: 'long' })}, ${fullDate(moment)}`
        : part(moment, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
    case 'date_short':
      return part(moment, { month: 'short', day: 'numeric', year: 'numeric' });
    case 'date_pretty':
    case 'date_long_pretty':
    case 'date_short_pretty':
    case 'day_divider_pretty':
      return nearbyDay(moment) ?? placeholder(name.replace('_pretty', '').replace('day_divider', 'date_long'), moment);
    case 'time':
      return part(moment, { hour: 'numeric', minute: '2-digit' });
    case 'time_secs':
      return part(moment, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
    case 'ago':
      return ago(moment);
    default:
      return undefined;
  }
}

function part({ date, locale }: Moment, options: Intl.DateTimeFormatOptions): string {
  return formatOf(locale, { ...options, timeZone: 'UTC' }).format(date);
}

/** In American English with an ordinal number, as Slack's documentation has it. */
function fullDate(moment: Moment): string {
  if (moment.locale !== 'en-US') return part(moment, { month: 'long', day: 'numeric', year: 'numeric' });
  const day = moment.date.getUTCDate();
  const suffix = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  const rule = new Intl.PluralRules('en-US', { type: 'ordinal' }).select(day);
  return `${part(moment, { month: 'long' })} ${day}${suffix[rule]}, ${moment.date.getUTCFullYear()}`;
}

/** Slack writes `Today` at the beginning, and `today` after other words. */
function capitalised(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}

/** `today`, `yesterday`, `tomorrow` or undefined. */
function nearbyDay({ date, now, locale }: Moment): string | undefined {
  const days = Math.round((startOfDay(date) - startOfDay(now)) / 86_400_000);
  return Math.abs(days) > 1 ? undefined : new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
}

function startOfDay(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
}

function ago({ date, now, locale }: Moment): string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const minutes = Math.round((date.getTime() - now.getTime()) / 60_000);
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 24 ? relative.format(hours, 'hour') : relative.format(Math.round(hours / 24), 'day');
}

/** A list asks for many messages, and making one takes long. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, made);
  return made;
}

/** Returns the fields of a wall clock in a time zone, as the UTC fields of a date. */
export function wallClock(atMs: number, timeZone: string): Date {
  const parts = formatOf('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(atMs + (sign === '-' ? -offsetMs : offsetMs));
}

/** English, as the page itself is, with the clock of this locale. */
export function englishLike(locale: string): 'en-US' | 'en-GB' {
  return formatOf(locale, { hour: 'numeric' }).resolvedOptions().hour12 ? 'en-US' : 'en-GB';
}

/** The exact time, for people who point at a shorter one. */
export function exactTime(atMs: number, { timeZone, locale }: { timeZone: string; locale: string }): string {
  return new Date(atMs).toLocaleString(locale, { timeZone });
}
