import type { ModalView } from '@slack/types';
import type { AbsenceReport, PersonSettings } from '../../core/inbox/person-settings.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { modalOf } from '../ui/answer-modal.ts';
import { context as contextBlock, section } from '../ui/blocks.ts';
import { nameIn } from '../ui/person.ts';
import { lastMoment, slackDay } from '../ui/text/moment.ts';
import { reportBlocks } from './report-blocks.ts';
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
