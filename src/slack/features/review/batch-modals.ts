// The windows that ask about several requests at once, and say what became of them.
import type { KnownBlock, ModalView } from '@slack/types';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { requestTitle, reviewButton, stageNames, stateSentence } from '../../request/card-state.ts';
import { countOf } from '../../request/outcome.ts';
import { button, context, quote, section, sectionWith } from '../../ui/blocks.ts';
import { approvalValue, keyOf } from '../../ui/button-value.ts';
import { answerModal, modal } from '../../ui/modal.ts';
import { type NameOf, nameIn, type Words } from '../../ui/person.ts';
import { moreText, plainBeginning } from '../../ui/plain-blocks.ts';
import { cutLine, escapedLine } from '../../ui/text/escape.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { shortNames } from '../home/request-lines.ts';
import { batchValue, type TickedRequest } from '../home/selection.ts';
import type { Approvable } from './batch.ts';

const GIST_LENGTH = 280;

interface Batch {
  approvable: readonly Approvable[];
  leftOut: readonly LeftOut[];
  name: NameOf;
}

/** Shows several requests, and asks once. `parseBatch` reads its `private_metadata`. */
export function batchModal({ approvable, leftOut, name }: Batch, say: Say): ModalView {
  const count = approvable.length;
  const spoken = spokenNames(approvable);
  const blocks = [
    ...(count > 0 ? [section(say('batch.intro', { count }))] : []),
    ...approvable.flatMap((each, i) => itemBlocks(each, spoken[i] ?? '', { name, say })),
    ...leftOutBlocks(leftOut, say(count > 0 ? 'batch.left-out' : 'batch.intro-none'), { name, say }),
  ];
  return batchForm(say, { title: say('batch.title'), blocks, items: approvable });
}

/** Builds the window. It is a form while there is something to approve. */
function batchForm(
  say: Say,
  {
    items,
    ...shown
  }: { items: readonly { key: TickedRequest }[]; title: string; blocks: KnownBlock[]; close?: string },
): ModalView {
  if (items.length === 0) return modal(say, { callbackId: 'answer', ...shown });
  return modal(say, {
    callbackId: 'approve_batch',
    submit: say('batch.submit', { count: items.length }),
    metadata: batchValue(items.map(({ key }) => key)),
    ...shown,
  });
}

function itemBlocks(item: Approvable, spoken: string, { name, say }: Words): KnownBlock[] {
  const { model, sameAs, output } = item;
  const gist = gistOf(output, say);
  const facts = [
    ...startedBy(model, { name, say }),
    slackDate(model.askedAt, say, `${say('card.since')} `),
    ...standingTexts(item, say),
    ...(gist.more === null ? [] : [`*${gist.more}*`]),
    ...(model.edited ? [`✏️ ${say('card.edited', { name: nameIn(name, model.edited.by) })}`] : []),
    ...(sameAs === null ? [] : [`⚠️ *${say('compare.same-as', { round: sameAs })}*`]),
  ];
  const heading = `${requestTitle(model, say)}\n${facts.join(' · ')}`;
  return [
    sectionWith(heading, reviewButton(model, say, say('home.review', { request: spoken }))),
    gist.text === ''
      ? context(`_${say(output === null ? 'card.no-text' : 'card.empty-text')}_`)
      : quote(gist.text, GIST_LENGTH),
  ];
}

function standingTexts({ model, standing }: Approvable, say: Say): string[] {
  if (standing?.kind === 'stage') return [say('batch.stage', stageNames(standing.stage))];
  // Without a standing, this person's approval completes the request.
  const all = model.votes.length + 1;
  const counted = standing ? countOf(model, standing) : { count: all, quorum: all };
  return counted.quorum > 1 ? [`*${say('batch.votes', counted)}*`] : [];
}

/** Returns the beginning of a text on one line, and how much is missing. */
function gistOf(output: string | null, say: Say): { text: string; more: string | null } {
  if (output === null) return { text: '', more: null };
  const fits = (words: string) => cutLine(words, 2 * GIST_LENGTH).length <= GIST_LENGTH;
  const { words, left } = plainBeginning(output, fits, say);
  return { text: cutLine(words, GIST_LENGTH), more: left && moreText(left, say) };
}

export function nothingTickedModal(say: Say): ModalView {
  return answerModal(say, { title: say('batch.title'), text: say('batch.none') });
}

export function batchLoadingModal(say: Say): ModalView {
  return answerModal(say, { title: say('batch.title'), text: `⏳ ${say('batch.loading')}` });
}

export function batchFailedModal(say: Say): ModalView {
  return answerModal(say, { title: say('batch.none-title'), text: say('batch.failed') });
}

type Approved = Pick<Approvable, 'model' | 'standing'>;

interface BatchResults {
  approved: readonly Approved[];
  leftOut: readonly LeftOut[];
  /** Requests that are still to be approved, or may be. The person can send them again. */
  open: readonly (LeftOut & { key: TickedRequest })[];
  name: NameOf;
}

/** Shows what came of the requests. While some are `open`, it is a form again that sends those. */
export function batchResultsModal({ approved, leftOut, open, name }: BatchResults, say: Say): ModalView {
  const words = { name, say };
  const spoken = spokenNames(approved);
  const blocks = [
    ...approved.map((each, i) => approvedBlock(each, spoken[i] ?? '', words)),
    ...leftOutBlocks(leftOut, say('batch.left-out'), words),
    ...leftOutBlocks(open, say('batch.open'), words),
  ];
  const title = say(approved.length > 0 ? 'outcome.approve-title' : 'batch.none-title');
  return batchForm(say, { title, blocks, items: open, close: say('modal.close') });
}

function approvedBlock({ model, standing }: Approved, spoken: string, { name, say }: Words): KnownBlock {
  const { state } = model;
  const names = namesIn(model, { name, say });
  if (standing?.kind === 'stage') return section(say('batch.stage-counts', { names, ...stageNames(standing.stage) }));
  if (state.kind === 'pending') return section(say('batch.counts', { names, ...countOf(model, standing) }));
  const text = say('batch.approved', { names, crew: escapedLine(model.crew, 80) });
  if (state.kind !== 'undoable') return section(text);
  const later = stateSentence(model, { name, say });
  const undo = { value: approvalValue(keyOf(model)), spoken: say('batch.undo', { request: spoken }) };
  return sectionWith(`${text} ${later}`, button('undo', say('card.undo'), undo));
}

/** Names the requests for screen readers, which read only a button's label. */
function spokenNames(items: readonly { model: CardModel }[]): string[] {
  return shortNames(items.map(({ model: { crew, taskName, about } }) => ({ taskName, about, run: { crew } })));
}

/** A request that isn't approved, and why, as mrkdwn. */
interface LeftOut {
  /** Null if the person may not know of it, or if its name isn't known. */
  model: CardModel | null;
  why: string;
}

function leftOutBlocks(leftOut: readonly LeftOut[], heading: string, words: Words): KnownBlock[] {
  if (leftOut.length === 0) return [];
  return [context(heading), ...leftOut.map(({ model, why }) => context(`• ${namesIn(model, words)}: ${why}`))];
}

/** Names the request, and the person who started its run. Mrkdwn. */
function namesIn(model: CardModel | null, words: Words): string {
  return model === null
    ? words.say('batch.unnamed')
    : [requestTitle(model, words.say), ...startedBy(model, words)].join(' · ');
}

function startedBy({ starter }: CardModel, { name, say }: Words): string[] {
  return starter ? [say('review.started-by', { name: nameIn(name, starter) })] : [];
}
