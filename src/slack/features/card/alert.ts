// What people are told about a request besides its card: alerts in its thread, and direct messages.

import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Alert, CompletedStage, Person } from '../../../core/state/approval.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { actorText, cardTitle, runNames, stageNames, stateSentence, stateSymbol } from '../../request/card-state.ts';
import { buttons, context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { connectButton } from '../../ui/modal.ts';
import { listed, type Mention, mentionsText, type NameOf, nameIn, type Words } from '../../ui/person.ts';
import { channelMention, type Place, placeParts } from '../../ui/place.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { ownTokenNeededText } from '../tokens/modal.ts';

export interface AlertModel extends Pick<Alert, 'kind' | 'by'>, Pick<CardModel, 'crew' | 'about'> {
  /** Null where it isn't known, or isn't shown. */
  taskName: string | null;
  /** The stage that is complete, and the one that is open by now; null where that isn't known. */
  stage?: (Pick<CompletedStage, 'name' | 'votes'> & { next: string }) | null | undefined;
  /** Why it can't be completed; null where that isn't known, or it can, as by default. */
  shortage?: string | null;
  askedAt: Millis;
  mentions: readonly Mention[];
  /** Who can decide, in words, for an alert that mentions nobody; escaped. */
  whoCan: string;
  /** The address of the card; null if it isn't posted. */
  link: string | null;
  name: NameOf;
  say: Say;
}

/** People are mentioned only in the blocks, so that each is notified once. The thread says what its run is about; a notification has to. */
export function alertReply(model: AlertModel): Rendered {
  const mentions = mentionsText(model.mentions);
  const sentence = alertSentence(model, mentions === '' ? model.whoCan : null);
  const open = model.link === null ? '' : ` <${escapeMrkdwn(model.link)}|${model.say('alert.open')}>`;
  const symbol = SYMBOLS[model.kind];
  return rendered(`${symbol} ${sentence}\n${runNames(model)}`, [
    section(`${symbol} ${mentions === '' ? '' : `${mentions}: `}${sentence}${open}`),
  ]);
}

/** The same to one of those people, who isn't in the channel. */
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

/** `whoCan`: null in a message to those who can decide. */
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
      return say(whoCan === null ? `alert.${kind}` : `alert.${kind}-to-nobody`, {
        waiting,
        name,
        whoCan: whoCan ?? '',
      });
    case 'decidable':
      return say(whoCan === null ? 'alert.decidable' : 'alert.decidable-to-nobody', { waiting, whoCan: whoCan ?? '' });
    case 'undecidable':
      return model.shortage
        ? `${say('alert.undecidable', { waiting, why: model.shortage })} ${say('short.advice')}`
        : say('alert.undecidable-unknown', { waiting });
    case 'edited':
      return say('alert.edited', { name, what });
    case 'stage':
      // Other rules may have come into force since.
      return model.stage ? stageSentence(model.stage, { what, whoCan, name: model.name, say }) : reminder(waiting);
  }
}

function stageSentence(
  { name: approved, votes, next: open }: NonNullable<AlertModel['stage']>,
  { what, whoCan, name, say }: Pick<AlertModel, 'name' | 'say'> & { what: string; whoCan: string | null },
): string {
  const names = listed(
    votes.map((vote) => actorText(vote, { name, say })),
    say,
  );
  const told = { what, ...stageNames({ approved, open }), names };
  return whoCan === null ? say('alert.stage', told) : say('alert.stage-to-nobody', { ...told, whoCan });
}

interface DirectDetails extends Words {
  place: Place;
}

/** Why a person gets a card directly. */
export type DirectReason =
  | { kind: 'handed-over' | 'stands-in'; by: Person }
  | { kind: 'escalated' | 'policy' | 'setting' | 'outside' };

/** The card as a direct message: first why the person gets it, as long as it waits, and last where its thread is. */
export function directCard(
  { text, blocks }: Rendered,
  { reason, askedAt, place, name, say }: DirectDetails & Pick<CardModel, 'askedAt'> & { reason: DirectReason | null },
): Rendered {
  const why = reason && [reasonText(reason, { place, name, say }), ...waitingSince(reason, askedAt, say)].join(' · ');
  const where = placeParts(place, say('status.open-thread'));
  return rendered(why === null ? text : `${why}\n${text}`, [
    ...(why === null ? [] : [context(`👋 ${why}`)]),
    ...blocks,
    ...(where.length === 0 ? [] : [context(where.join(' · '))]),
  ]);
}

/** Since when the request has waited, where the message comes later. */
function waitingSince({ kind }: DirectReason, askedAt: Millis, say: Say): string[] {
  const isLater = kind === 'handed-over' || kind === 'stands-in' || kind === 'escalated';
  return isLater ? [slackDate(askedAt, say, `${say('card.since')} `)] : [];
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

/** One line instead of the card, once the person has nothing to do with the request any more. */
export function directLine(model: CardModel, { place, name, say }: DirectDetails): Rendered {
  const line = `${stateSymbol(model.state)} ${cardTitle(model, { name, say })} · ${runNames(model)}`;
  return rendered(line, [section([line, ...placeParts(place, say('status.open-thread'))].join(' · '))]);
}

/** To the person whose decision didn't reach the crew. */
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
