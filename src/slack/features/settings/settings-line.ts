import type { Away, PersonSettings } from '../../../core/inbox/person-settings.ts';
import type { Millis } from '../../../core/values/time.ts';
import { nameIn, type Words } from '../../ui/person.ts';
import { lastMoment, slackDay } from '../../ui/text/moment.ts';

/** Returns a person's choices on one line of mrkdwn. */
export function settingsLine({ tell, away }: PersonSettings, now: Millis, words: Words): string {
  const { say } = words;
  return [say(`settings.line-${tell.kind}`), ...(away && now < away.until ? [awayText(away, words)] : [])].join(' · ');
}

/** Says until when a person is away, and who stands in; mrkdwn. */
export function awayText({ until, standIn }: Away, { name, say }: Words): string {
  const date = slackDay(lastMoment(until), say);
  return standIn === null
    ? say('settings.line-away', { date })
    : say('settings.line-away-with', { date, name: nameIn(name, standIn) });
}
