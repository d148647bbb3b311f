// What people are told about a request besides its card: alerts in its thread, and direct messages.
import type { Alert, Person } from '../../../core/approval/approval.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Millis } from '../../../core/time.ts';
import type { Say } from '../../language/say.ts';
import { buttons, context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { connectButton } from '../../ui/modal.ts';
import { type Mention, mentionsText, type NameOf, nameIn } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { ownTokenNeededText } from '../tokens/modal.ts';
import { cardTitle, stateSentence, stateSymbol } from './card-state.ts';

/** A reply that notifies people who can decide a request. */
interface AlertModel extends Pick<Alert, 'kind' | 'by'> {
  /** Null where it isn't known, or isn't shown. */
  taskName: string | null;
  askedAt: Millis;
  mentions: readonly Mention[];
  /** Who can decide, in words, for an alert that mentions nobody; escaped. */
  whoCan: string;
  /** The address of the card; null if it isn't posted. */
  link: string | null;
  name: NameOf;
  say: Say;
}

/** People are mentioned only in the blocks, so that each is notified once. */
export function alertReply(model: AlertModel): Rendered {
  const mentions = mentionsText(model.mentions);
  const sentence = alertSentence(model, mentions === '' ? 'nobody' : 'mentioned');
  const open = model.link === null ? '' : ` <${escapeMrkdwn(model.link)}|${model.say('alert.open')}>`;
  const symbol = SYMBOLS[model.kind];
  return rendered(`${symbol} ${sentence}`, [
    section(`${symbol} ${mentions === '' ? '' : `${mentions}: `}${sentence}${open}`),
  ]);
}

/** The same to one of those people, who isn't in the channel. */
export function alertNotice(model: Omit<AlertModel, 'mentions' | 'whoCan'> & { crew: string }): Rendered {
  const line = `${SYMBOLS[model.kind]} ${alertSentence({ ...model, whoCan: '' }, 'mentioned')}`;
  const open = model.link === null ? '' : ` · <${escapeMrkdwn(model.link)}|${model.say('alert.open')}>`;
  return rendered(line, [section(`${line}\n${escapedLine(model.crew, 80)}${open}`)]);
}

const SYMBOLS: Record<Alert['kind'], string> = {
  reminder: '⏰',
  escalation: '📣',
  ask: '🙋',
  named: '🏷️',
  reopened: '↩️',
};

function alertSentence(
  { kind, by, whoCan, say, ...model }: Omit<AlertModel, 'mentions'>,
  to: 'mentioned' | 'nobody',
): string {
  const { taskName } = model;
  const what = taskName === null ? say('alert.unnamed-task') : say('alert.task', { task: escapedLine(taskName, 120) });
  const waiting = say('alert.waiting', { what, since: slackDate(model.askedAt, say, `${say('alert.since')} `) });
  const name = by ? nameIn(model.name, by) : say('alert.unnamed-person');
  switch (kind) {
    case 'reminder':
      return to === 'mentioned' ? waiting : say('alert.reminder-to-nobody', { waiting, whoCan });
    case 'escalation':
      return to === 'mentioned'
        ? say('alert.escalation', { waiting })
        : say('alert.escalation-to-nobody', { waiting, whoCan });
    case 'ask':
      return to === 'mentioned'
        ? say('alert.ask', { waiting, name })
        : say('alert.ask-nobody', { waiting, name, whoCan });
    case 'named':
    case 'reopened': {
      const learned = say(kind === 'named' ? 'alert.named' : 'alert.reopened', { waiting });
      return to === 'mentioned' ? learned : say('alert.reminder-to-nobody', { waiting: learned, whoCan });
    }
  }
}

interface ThreadLink {
  /** The address of the card in its thread. */
  link: string;
  name: NameOf;
  say: Say;
}

/** The card as a direct message, with a link to its thread. `handedBy`: who handed it over to the person. */
export function directCard(
  { text, blocks }: Rendered,
  { handedBy, link, name, say }: ThreadLink & { handedBy: Person | null },
): Rendered {
  const open = openLink(link, say);
  const why = handedBy && say('direct.handed-over', { name: nameIn(name, handedBy) });
  return rendered(why === null ? text : `${why}\n${text}`, [
    ...blocks,
    context(why === null ? open : `👋 ${why} · ${open}`),
  ]);
}

/** One line instead of the card, once the person has nothing to do with the request any more. */
export function directLine(model: CardModel, { link, name, say }: ThreadLink): Rendered {
  const line = `${stateSymbol(model.state)} ${cardTitle(model, { name, say })} · ${escapedLine(model.crew, 40)}`;
  return rendered(line, [section(`${line} · ${openLink(link, say)}`)]);
}

/** To the person whose decision didn't reach the crew. */
export function unsentNotice(model: CardModel, { link, name, say }: ThreadLink): Rendered {
  const code =
    model.state.kind === 'failed' && model.state.failure.kind === 'refused' ? model.state.failure.code : null;
  const needsToken = code === 'user-token-refused' || code === 'no-user-token';
  const why = needsToken ? ownTokenNeededText(say, code, model.crew) : stateSentence(model, { name, say });
  const line = `⚠️ ${cardTitle(model, { name, say })} · ${escapedLine(model.crew, 40)}`;
  return rendered(`${line}\n${why}`, [
    section(`${line} · ${openLink(link, say)}\n${why}`),
    ...(needsToken ? buttons(connectButton(model.crew, say)) : []),
  ]);
}

function openLink(link: string, say: Say): string {
  return `<${escapeMrkdwn(link)}|${say('status.open-thread')}>`;
}
