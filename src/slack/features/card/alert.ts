// Messages about a request besides its card: alerts in its thread, and direct messages.
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Alert, CompletedStage, Person } from '../../../core/state/request.ts';
import { actorsText, cardTitle, runNames, stageNames, stateSentence, stateSymbol } from '../../request/card-state.ts';
import { buttons, context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { connectButton } from '../../ui/modal.ts';
import { type Mention, mentionsText, nameIn, type Words } from '../../ui/person.ts';
import { channelMention, type Place, placeParts } from '../../ui/place.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { ownTokenNeededText } from '../tokens/modal.ts';

export interface AlertModel extends Pick<Alert, 'kind' | 'by'>, Pick<CardModel, 'crew' | 'about' | 'askedAt'>, Words {
  /** Null if it isn't known, or isn't shown. */
  taskName: string | null;
  /** The complete stage, and the name of the open one. Null if that isn't known. */
  stage?: (Pick<CompletedStage, 'name' | 'votes'> & { next: string }) | null | undefined;
  /** The reason why the request can't be completed. Null if it can, or if that isn't known. */
  shortage?: string | null;
  mentions: readonly Mention[];
  /** Names of the people who can decide, escaped, for an alert that mentions nobody. */
  whoCan: string;
  /** Address of the card. Null if it isn't posted. */
  link: string | null;
}

/**
 * Returns the alert in the thread. Only the blocks mention people, so that each is notified once. The notification says what the run is
 * about, which the thread says already.
 */
export function alertReply(model: AlertModel): Rendered {
  const mentions = mentionsText(model.mentions);
  const sentence = alertSentence(model, mentions === '' ? model.whoCan : null);
  const open = model.link === null ? '' : ` <${escapeMrkdwn(model.link)}|${model.say('alert.open')}>`;
  const symbol = SYMBOLS[model.kind];
  return rendered(`${symbol} ${sentence}\n${runNames(model)}`, [
    section(`${symbol} ${mentions === '' ? '' : `${mentions}: `}${sentence}${open}`),
  ]);
}

/** Returns the alert as a direct message to a person who isn't in the channel. */
export function alertNotice({
  place,
  ...model
}: Omit<AlertModel, 'mentions' | 'whoCan' | 'link'> & { place: Place }): Rendered {
  const line = `${SYMBOLS[model.kind]} ${alertSentence(model, null)}`;
  const text = `${line}\n${[runNames(model), ...placeParts(place, model.say('alert.open'))].join(' · ')}`;
  return rendered(`${line}\n${runNames(model)}`, [section(text)]);
}

const SYMBOLS: Record<Alert['kind'], string> = {
  reminder: '⏰',
  escalation: '📣',
  ask: '🙋',
  stage: '➡️',
  undecidable: '⚠️',
  decidable: '👌',
  edited: '✏️',
};

/** `whoCan`: null in a message to people who can decide. */
function alertSentence(
  { kind, by, say, ...model }: Omit<AlertModel, 'mentions' | 'whoCan' | 'link'>,
  whoCan: string | null,
): string {
  const { taskName } = model;
  const what = taskName === null ? say('alert.unnamed-task') : say('alert.task', { task: escapedLine(taskName, 120) });
  const waiting = say('alert.waiting', { what, since: slackDate(model.askedAt, say, `${say('alert.since')} `) });
  const name = by ? nameIn(model.name, by) : say('alert.unnamed-person');
  const reminder = (text: string) =>
    whoCan === null ? text : say('alert.reminder-to-nobody', { waiting: text, whoCan });
  switch (kind) {
    case 'reminder':
      return reminder(waiting);
    case 'escalation':
    case 'ask':
    case 'decidable':
      return whoCan === null
        ? say(`alert.${kind}`, { waiting, name })
        : say(`alert.${kind}-to-nobody`, { waiting, name, whoCan });
    case 'undecidable':
      return model.shortage
        ? `${say('alert.undecidable', { waiting, why: model.shortage })} ${say('short.advice')}`
        : say('alert.undecidable-unknown', { waiting });
    case 'edited':
      return say('alert.edited', { name, what });
    case 'stage': {
      // Other rules may have come into force since.
      if (!model.stage) return reminder(waiting);
      const { name: approved, votes, next: open } = model.stage;
      const words = { what, ...stageNames({ approved, open }), names: actorsText(votes, { name: model.name, say }) };
      return whoCan === null ? say('alert.stage', words) : say('alert.stage-to-nobody', { ...words, whoCan });
    }
  }
}

interface DirectDetails extends Words {
  place: Place;
}

/** The reason why a person gets a card directly. */
export type DirectReason =
  | { kind: 'handed-over' | 'stands-in'; by: Person }
  | { kind: 'escalated' | 'policy' | 'setting' | 'outside' };

/** Returns the card as a direct message. It begins with the reason while the request waits, and ends with the link to the thread. */
export function directCard(
  { text, blocks }: Rendered,
  { reason, askedAt, place, name, say }: DirectDetails & Pick<CardModel, 'askedAt'> & { reason: DirectReason | null },
): Rendered {
  // If the message comes later, it says since when the request has waited.
  const isLater = reason !== null && ['handed-over', 'stands-in', 'escalated'].includes(reason.kind);
  const since = isLater ? [slackDate(askedAt, say, `${say('card.since')} `)] : [];
  const why = reason && [reasonText(reason, { place, name, say }), ...since].join(' · ');
  const where = placeParts(place, say('status.open-thread'));
  return rendered(why === null ? text : `${why}\n${text}`, [
    ...(why === null ? [] : [context(`👋 ${why}`)]),
    ...blocks,
    ...(where.length === 0 ? [] : [context(where.join(' · '))]),
  ]);
}

function reasonText(reason: DirectReason, { place: { channel, link }, name, say }: DirectDetails): string {
  switch (reason.kind) {
    case 'handed-over':
    case 'stands-in':
      return say(`direct.${reason.kind}`, { name: nameIn(name, reason.by) });
    case 'outside':
      return link === null
        ? say('direct.outside-private')
        : say('direct.outside', { channel: channelMention(channel) });
    case 'escalated':
    case 'policy':
    case 'setting':
      return say(`direct.${reason.kind}`);
  }
}

/** Returns one line instead of the card, once the person has nothing to do with the request any more. */
export function directLine(model: CardModel, { place, name, say }: DirectDetails): Rendered {
  const line = `${stateSymbol(model.state)} ${cardTitle(model, { name, say })} · ${runNames(model)}`;
  return rendered(line, [section([line, ...placeParts(place, say('status.open-thread'))].join(' · '))]);
}

/** Returns the message to the person whose decision didn't reach the crew. */
export function unsentNotice(model: CardModel, { place, name, say }: DirectDetails): Rendered {
  const code =
    model.state.kind === 'failed' && model.state.failure.kind === 'refused' ? model.state.failure.code : null;
  const needsToken = code === 'user-token-refused' || code === 'no-user-token';
  const why = needsToken ? ownTokenNeededText(say, code, model.crew) : stateSentence(model, { name, say });
  const line = `⚠️ ${cardTitle(model, { name, say })} · ${runNames(model)}`;
  return rendered(`${line}\n${why}`, [
    section(`${[line, ...placeParts(place, say('status.open-thread'))].join(' · ')}\n${why}`),
    ...(needsToken ? buttons(connectButton(model.crew, say)) : []),
  ]);
}
