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
