// The modals that ask about several requests at once, and say what became of them.
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { button, context, quote, section, sectionWith } from '../../ui/blocks.ts';
import { approvalValue, keyOf, parse } from '../../ui/button-value.ts';
import { answerModal, modal } from '../../ui/modal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { cut, cutLine } from '../../ui/text/escape.ts';
import { plainWords } from '../../ui/text/markdown.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { cardNames, readButton, stateSentence } from '../approval/card-state.ts';
import type { TickedRequest } from '../home/selection.ts';
import type { Approvable } from './batch.ts';

const GIST_LENGTH = 280;
/** Marks of Markdown are left out of it. */
const READ_LENGTH = 600;

/** What a person has ticked: what can be approved together, and what can't. */
interface Batch {
  approvable: readonly Approvable[];
  leftOut: readonly Excluded[];
  /** Whether more was ticked than one modal takes. */
  isCut: boolean;
  name: NameOf;
}

/** Shows what each of several requests is about, and asks once. `parseBatch` reads its `private_metadata`. */
export function batchModal({ approvable, leftOut, isCut, name }: Batch, say: Say): ModalView {
  const count = approvable.length;
  const blocks = [
    ...(count > 0 ? [section(say('batch.intro', { count }))] : []),
    ...approvable.flatMap((each) => itemBlocks(each, { name, say })),
    ...(isCut ? [context(say('batch.first', { most: MOST_AT_ONCE }))] : []),
    ...leftOutBlocks(leftOut, say(count > 0 ? 'batch.left-out' : 'batch.intro-none'), say),
  ];
  const title = say('batch.title');
  if (count === 0) return modal({ callbackId: 'answer', title, close: say('modal.close'), blocks });
  return modal({
    callbackId: 'approve_batch',
    title,
    submit: say('batch.submit', { count }),
    close: say('modal.cancel'),
    metadata: batchValue(approvable.map(({ key }) => key)),
    blocks,
  });
}

function itemBlocks(item: Approvable, { name, say }: { name: NameOf; say: Say }): KnownBlock[] {
  const { model, starter, quorum, votes, sameAs, output } = item;
  const gist = gistOf(output);
  const facts = [
    ...(starter ? [say('review.started-by', { name: nameIn(name, starter) })] : []),
    slackDate(model.askedAt, say, `${say('card.since')} `),
    ...(quorum > 1 ? [`*${say('batch.votes', { count: votes, quorum })}*`] : []),
    ...(gist.share < 100 ? [`*${say('batch.shown', { total: model.output.length, share: gist.share })}*`] : []),
    ...(sameAs === null ? [] : [`⚠️ *${say('compare.same-as', { round: sameAs })}*`]),
  ];
  const heading = `*${cardNames(model, say)}*\n${facts.join(' · ')}`;
  return [
    sectionWith(heading, readButton(model, say)),
    gist.text === ''
      ? context(`_${say(output === null ? 'card.no-text' : 'card.empty-text')}_`)
      : quote(gist.text, GIST_LENGTH),
  ];
}

/** The beginning of a text, and about how many percent of it that is. */
function gistOf(output: string | null): { text: string; share: number } {
  const words = output === null ? '' : plainWords(cut(output, READ_LENGTH)).replace(/\n+/g, ' ');
  const text = cutLine(words, GIST_LENGTH);
  const isWhole = output === null || (output.length <= READ_LENGTH && words.length <= GIST_LENGTH);
  return { text, share: isWhole ? 100 : Math.max(1, Math.min(99, Math.round((text.length / output.length) * 100))) };
}

/** How it works, for a person who has ticked nothing. */
export function nothingTickedModal(say: Say): ModalView {
  return answerModal(say, { title: say('batch.title'), text: say('batch.none') });
}

/** Shown while the texts are read. */
export function batchLoadingModal(say: Say): ModalView {
  return answerModal(say, { title: say('batch.title'), text: `⏳ ${say('batch.loading')}` });
}

/** Shown if they can't be. */
export function batchFailedModal(say: Say): ModalView {
  return answerModal(say, { title: say('batch.none-title'), text: say('batch.failed') });
}

/** What became of several requests that were approved together. */
interface BatchResults {
  approved: readonly { model: CardModel; quorum: number }[];
  leftOut: readonly Excluded[];
  /** Those that are still to be approved, or may be: they can be sent again. */
  open: readonly (Excluded & { key: TickedRequest })[];
}

/** Says what happened to each, by name. */
export function batchResultsModal({ approved, leftOut, open }: BatchResults, say: Say): ModalView {
  const blocks = [
    ...approved.map((each) => approvedBlock(each, say)),
    ...leftOutBlocks(leftOut, say('batch.left-out'), say),
    ...leftOutBlocks(open, say('batch.open'), say),
  ];
  const title = say(approved.length > 0 ? 'batch.done-title' : 'batch.none-title');
  if (open.length === 0) return modal({ callbackId: 'answer', title, close: say('modal.close'), blocks });
  return modal({
    callbackId: 'approve_batch',
    title,
    submit: say('batch.submit', { count: open.length }),
    close: say('modal.close'),
    metadata: batchValue(open.map(({ key }) => key)),
    blocks,
  });
}

function approvedBlock({ model, quorum }: { model: CardModel; quorum: number }, say: Say): KnownBlock {
  const { state } = model;
  const names = namesIn(model, say);
  if (state.kind === 'pending') return section(say('batch.counts', { names, count: model.votes.length, quorum }));
  const text = say('batch.approved', { names });
  if (state.kind !== 'undoable') return section(text);
  const later = stateSentence(model, { name: ({ name }) => name, say });
  return sectionWith(`${text} ${later}`, button('undo', say('card.undo'), { value: approvalValue(keyOf(model)) }));
}

/** A request that isn't approved, and why, as mrkdwn. */
interface Excluded {
  /** Null for one that the person may not know of, or whose name isn't known. */
  model: CardModel | null;
  why: string;
}

/** The requests that aren't approved, each with the reason; nothing if there are none. */
function leftOutBlocks(leftOut: readonly Excluded[], heading: string, say: Say): KnownBlock[] {
  if (leftOut.length === 0) return [];
  return [context(heading), ...leftOut.map(({ model, why }) => context(`• ${namesIn(model, say)}: ${why}`))];
}

/** Which request it is; mrkdwn. */
function namesIn(model: CardModel | null, say: Say): string {
  return model === null ? say('batch.unnamed') : `*${cardNames(model, say)}*`;
}

/** How many can be stored before Slack shows an error, and fit into one modal. */
export const MOST_AT_ONCE = 20;

/** The requests that a modal approves, short enough for its `private_metadata`. */
export function batchValue(keys: readonly TickedRequest[]): string {
  return JSON.stringify(keys.map(({ ref, approvalId, hash }) => [ref, approvalId, hash]));
}

const batchKeys = z.array(z.tuple([z.string(), z.string(), z.string()])).max(MOST_AT_ONCE);

/** Null if we didn't write the value. */
export function parseBatch(value: string): TickedRequest[] | null {
  return parse(batchKeys, value)?.map(([ref, approvalId, hash]) => ({ ref, approvalId, hash })) ?? null;
}
