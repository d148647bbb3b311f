type When = { atMs: number; nowMs: number; timeZone: string };

/**
 * Formats a Slack date in the viewer's time zone, in English like the rest of the page.
 * Returns undefined for an unknown placeholder: Slack then shows the fallback.
 * See https://docs.slack.dev/messaging/formatting-message-text#date-formatting
 */
export function formatSlackDate(format: string, { atMs, nowMs, timeZone }: When): string | undefined {
  const [date, now] = [wallClock(atMs, timeZone), wallClock(nowMs, timeZone)];
  let unknown = false;
  const filled = format.replace(/\{(\w+)\}/g, (whole, name: string, at: number) => {
    const text = placeholder(name, date, now);
    unknown ||= text === undefined;
    return at === 0 && name.endsWith('_pretty') ? capitalised(text ?? whole) : (text ?? whole);
  });
  return unknown ? undefined : filled;
}

function placeholder(name: string, date: Date, now: Date): string | undefined {
  switch (name) {
    case 'date_num':
      return `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
    case 'date_slash':
      return `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`;
    case 'date':
      return ordinal(date, { month: 'long' });
    case 'date_long':
      return `${part(date, { weekday: 'long' })}, ${ordinal(date, { month: 'long' })}`;
    case 'date_short':
      return part(date, { month: 'short', day: 'numeric', year: 'numeric' });
    case 'date_pretty':
    case 'date_long_pretty':
    case 'date_short_pretty':
    case 'day_divider_pretty':
      return (
        nearbyDay(date, now) ?? placeholder(name.replace('_pretty', '').replace('day_divider', 'date_long'), date, now)
      );
    case 'time':
      return part(date, { hour: 'numeric', minute: '2-digit' });
    case 'time_secs':
      return part(date, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
    case 'ago':
      return ago(date.getTime() - now.getTime());
    default:
      return undefined;
  }
}

function part(date: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(date);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function ordinal(date: Date, options: Intl.DateTimeFormatOptions): string {
  const day = date.getUTCDate();
  const suffix = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  const rule = new Intl.PluralRules('en-US', { type: 'ordinal' }).select(day);
  return `${part(date, options)} ${day}${suffix[rule]}, ${date.getUTCFullYear()}`;
}

/** Slack writes `Today` at the beginning, and `today` after other words. */
function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `today`, `yesterday`, `tomorrow` or undefined. */
function nearbyDay(date: Date, now: Date): string | undefined {
  const days = Math.round((startOfDay(date) - startOfDay(now)) / 86_400_000);
  return { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }[String(days)];
}

function startOfDay(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
}

function ago(differenceMs: number): string {
  const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' });
  const minutes = Math.round(differenceMs / 60_000);
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 24 ? relative.format(hours, 'hour') : relative.format(Math.round(hours / 24), 'day');
}

/** By time zone: a list asks for many messages, and making one takes long. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const made = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, made);
  return made;
}

/** What a clock on the wall shows in a time zone, as the UTC fields of a date. */
export function wallClock(atMs: number, timeZone: string): Date {
  const parts = formatOf(timeZone).formatToParts(atMs);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(atMs + (sign === '-' ? -offsetMs : offsetMs));
}

/** The exact time, for those who point at a shorter one. */
export function exactTime(atMs: number, timeZone: string): string {
  return new Date(atMs).toLocaleString(undefined, { timeZone });
}
