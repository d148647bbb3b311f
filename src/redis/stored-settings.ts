import { z } from 'zod';
import { type PersonSettings, USUAL_SETTINGS } from '../core/inbox/person-settings.ts';

const instant = z.number().int().nonnegative();
const minuteOfDay = z.number().int().min(0).max(1_439);

/** The names are short, and what is usual is left out. */
const STORED = z.object({
  /** How to tell: at once, hourly, or daily. */
  t: z
    .discriminatedUnion('k', [
      z.object({ k: z.literal('o') }),
      z.object({ k: z.literal('h'), s: instant }),
      z.object({ k: z.literal('d'), m: minuteOfDay, s: instant }),
    ])
    .optional(),
  /** Quiet hours. */
  q: z.tuple([minuteOfDay, minuteOfDay]).optional(),
  /** Away: until, since, and the id and name of the stand-in. */
  a: z.object({ u: instant, s: instant, by: z.tuple([z.string().min(1), z.string()]).optional() }).optional(),
});

type Stored = z.infer<typeof STORED>;

/** Empty for the usual settings. */
export function encodeSettings({ tell, quiet, away }: PersonSettings): string {
  const told = encodeTell(tell);
  const stored: Stored = {
    ...(told && { t: told }),
    ...(quiet && { q: [quiet.from, quiet.to] }),
    ...(away && {
      a: { u: away.until, s: away.since, ...(away.standIn && { by: [away.standIn.id, away.standIn.name] }) },
    }),
  };
  return Object.keys(stored).length === 0 ? '' : JSON.stringify(stored);
}

/** Null if it can't be read. */
export function decodeSettings(text: string): PersonSettings | null {
  const { data } = STORED.safeParse(parseJson(text));
  if (!data) return null;
  const { t: told, q: quiet, a: away } = data;
  return {
    tell: told ? decodeTell(told) : USUAL_SETTINGS.tell,
    quiet: quiet ? { from: quiet[0], to: quiet[1] } : null,
    away: away
      ? { until: away.u, since: away.s, standIn: away.by ? { id: away.by[0], name: away.by[1] } : null }
      : null,
  };
}

function encodeTell(tell: PersonSettings['tell']): Stored['t'] {
  switch (tell.kind) {
    case 'off':
      return undefined;
    case 'at-once':
      return { k: 'o' };
    case 'hourly':
      return { k: 'h', s: tell.since };
    case 'daily':
      return { k: 'd', m: tell.at, s: tell.since };
  }
}

function decodeTell(stored: NonNullable<Stored['t']>): PersonSettings['tell'] {
  switch (stored.k) {
    case 'o':
      return { kind: 'at-once' };
    case 'h':
      return { kind: 'hourly', since: stored.s };
    case 'd':
      return { kind: 'daily', at: stored.m, since: stored.s };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
