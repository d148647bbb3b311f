import type { KnownBlock, ModalView } from '@slack/types';
import type { AbsenceOutcome, AbsenceReport, PersonSettings } from '../../../core/inbox/person-settings.ts';
import type { OpenRequest } from '../../../core/inbox/snapshot.ts';
import type { ListenerContext } from '../../app/context.ts';
import type { Say } from '../../language/say.ts';
import { bulleted, context as contextBlock, section } from '../../ui/blocks.ts';
import { modalOf } from '../../ui/modal.ts';
import { nameIn } from '../../ui/person.ts';
import { lastMoment, slackDay } from '../../ui/text/moment.ts';
import { cardNames } from '../approval/card-state.ts';
import { takeOverText } from '../approval/denial.ts';
import { settingsLine } from './settings-line.ts';

/**
 * What was stored, in words.
 * @param report what became of what waits for the person; null while that isn't known, or where nobody stands in
 */
export async function savedModal(
  context: ListenerContext,
  settings: PersonSettings,
  report: AbsenceReport | null,
): Promise<ModalView> {
  const standIn = settings.away?.standIn ?? null;
  const [say, name, theirs] = await Promise.all([
    context.say(),
    context.namesOf(standIn),
    standIn && context.personSettings.find(standIn.id),
  ]);
  const now = Date.now();
  const line = settingsLine(settings, now, { name, say });
  const who = standIn ? nameIn(name, standIn) : '';
  const until = theirs?.away?.until ?? 0;
  return modalOf(say, {
    title: say('settings.title'),
    blocks: [
      section(say('settings.saved', { settings: line })),
      ...(report?.standIn ? reportBlocks(report, { who, say }) : []),
      ...(now < until ? [contextBlock(say('settings.away-too', { who, date: slackDay(lastMoment(until), say) }))] : []),
    ],
  });
}

/** Each list names at most this many requests. */
const MOST_NAMED = 10;

const HEADS = {
  'handed-over': 'settings.handed-over',
  anyway: 'settings.anyway',
  refused: 'settings.refused',
  'not-passed-on': 'settings.not-passed-on',
  open: 'settings.still-open',
} as const;

/** What was handed over to a stand-in and what wasn't, with the reason. `who` is their name, escaped. */
export function reportBlocks({ items }: AbsenceReport, { who, say }: { who: string; say: Say }): KnownBlock[] {
  if (items.length === 0) return [section(say('settings.nothing-waits', { who }))];
  return (Object.keys(HEADS) as (keyof typeof HEADS)[]).flatMap((kind) => {
    const lines = items
      .filter(({ outcome }) => outcome.kind === kind)
      .map(({ request, outcome }) => lineOf(request, outcome, { who, say }));
    const more = lines.length - MOST_NAMED;
    const shown = [...lines.slice(0, MOST_NAMED), ...(more > 0 ? [say('settings.more', { count: more })] : [])];
    return lines.length === 0 ? [] : [section([`*${say(HEADS[kind], { who })}*`, ...bulleted(shown)].join('\n'))];
  });
}

function lineOf(
  { run: { crew }, taskName, round }: OpenRequest,
  outcome: AbsenceOutcome,
  { who, say }: { who: string; say: Say },
): string {
  const names = cardNames({ crew, taskName, round }, say);
  return outcome.kind === 'refused' ? `${names}: ${takeOverText(outcome.denial, { who, say })}` : names;
}
