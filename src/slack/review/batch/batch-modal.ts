import type { KnownBlock, ModalView } from '@slack/types';
import { cardNames } from '../../features/approval/card-details.ts';
import { readButton } from '../../features/approval/card-state.ts';
import type { Say } from '../../language/say.ts';
import { context, quote, section, sectionWith } from '../../ui/blocks.ts';
import { answerModal, modal } from '../../ui/modal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { cut, cutLine } from '../../ui/text/cut.ts';
import { plainWords } from '../../ui/text/markdown.ts';
import { slackDate } from '../../ui/text/moment.ts';
import { batchValue, MOST_AT_ONCE } from './batch-key.ts';
import type { Approvable } from './judge-ticked.ts';
import { type Excluded, leftOutBlocks } from './left-out-blocks.ts';

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
