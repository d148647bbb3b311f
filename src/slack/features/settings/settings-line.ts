import type { Away, PersonSettings } from '../../../core/inbox/person-settings.ts';
import type { Millis } from '../../../core/time.ts';
import type { Say } from '../../language/say.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { lastMoment, slackDay } from '../../ui/text/moment.ts';

/** What a person has chosen, on one line of mrkdwn. */
export function settingsLine(
  { tell, quiet, away }: PersonSettings,
  now: Millis,
  words: { name: NameOf; say: Say },
): string {
  const { say } = words;
  const hours = quiet && { from: clockText(quiet.from), to: clockText(quiet.to) };
  return [
    tellText(tell, say),
    ...(hours && tell.kind !== 'off' ? [say('settings.line-quiet', hours)] : []),
    ...(away && now < away.until ? [awayText(away, words)] : []),
  ].join(' · ');
}

/** Until when a person is away, and who stands in; mrkdwn. */
export function awayText({ until, standIn }: Away, { name, say }: { name: NameOf; say: Say }): string {
  const date = slackDay(lastMoment(until), say);
  return standIn === null
    ? say('settings.line-away', { date })
    : say('settings.line-away-with', { date, name: nameIn(name, standIn) });
}

function tellText(tell: PersonSettings['tell'], say: Say): string {
  switch (tell.kind) {
    case 'off':
      return say('settings.line-off');
    case 'at-once':
      return say('settings.line-at-once');
    case 'hourly':
      return say('settings.line-hourly');
    case 'daily':
      return say('settings.line-daily', { time: clockText(tell.at) });
  }
}

/** Minutes after midnight as a time of day, as Slack's time pickers have it: `09:05`. */
export function clockText(minutes: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The minutes after midnight of a time of day; null if it isn't one. */
export function minutesOf(text: string): number | null {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}
