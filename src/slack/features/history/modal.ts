// The windows of *History*, which has pages, and *Copy reference*.
import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { Entry } from '../../../core/ledger/entry.ts';
import type { PolicyConditions } from '../../../core/policy/explained.ts';
import { parseApprover } from '../../../core/policy/policy.ts';
import { answerFacts } from '../../../core/state/answer.ts';
import type { Execution } from '../../../core/state/execution.ts';
import { allVotes, decisionOf } from '../../../core/state/request.ts';
import { MINUTE_MS } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { answerLine } from '../../request/answer-text.ts';
import { bulleted, context, section } from '../../ui/blocks.ts';
import { codec, pageNumber } from '../../ui/button-value.ts';
import { input, textInput } from '../../ui/inputs.ts';
import { TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal, pageOf, pageTurning } from '../../ui/modal.ts';
import { approverMention } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { slackDate, withDate } from '../../ui/text/moment.ts';
import { runOf, type Sentence, storyOf, type Wording } from './story.ts';

/** A run, and the channel of the message that its history was opened from. Null if there was no message. */
export const storyKey = codec(z.object({ ref: z.string(), seenIn: z.string().nullable() }));
export type StoryKey = NonNullable<ReturnType<typeof storyKey.read>>;

export const storyPage = codec(z.object({ ref: z.string(), page: pageNumber }));

/** A page takes about four screens of a phone. */
const PAGE_ENTRIES = 20;

interface Story {
  entries: readonly Entry[];
  /** Conditions of the policies, by their hashes. By default, conditions have numbers. */
  conditions?: PolicyConditions;
  /** Id that the channel has now. Entries may have an older one. Null if no entry says where the run was. */
  channel: string | null;
  /** Null or left out if it isn't stored any more. */
  execution?: Execution | null;
  /** Counted from 0. Default: the newest page. */
  page?: number;
}

/** Shows a page of the history, with the newest entry last. */
export function historyModal(
  key: StoryKey,
  { entries, conditions, channel, execution = null, page = Number.POSITIVE_INFINITY }: Story,
  say: Say,
): ModalView {
  const story = storyOf(entries, { ...wordingOf(say), answer: (sha256) => answerIn(execution, sha256) }, conditions);
  const { shown, at, count } = pageOf(story, { wanted: page, size: PAGE_ENTRIES });
  const run = runOf(entries);
  const valueFor = (other: number) => storyPage.write({ ref: key.ref, page: other });
  const names = run &&
    channel !== null && {
      ref: `\`${escapedLine(key.ref, REF_LENGTH)}\``,
      crew: `*${escapedLine(run.crew, NAME_LENGTH)}*`,
      channel: `<#${channel}>`,
    };
  return modal(say, {
    callbackId: 'history',
    title: say('history.title'),
    metadata: storyKey.write(key),
    blocks: [
      ...(names ? [context(say('history.run', names))] : []),
      ...(shown.length === 0 ? [section(say('history.none'))] : []),
      ...minutesOf(shown).flatMap((sentences) => minuteBlocks(sentences, say)),
      ...pageTurning(say, { at, count, of: 'history', valueFor }),
    ],
  });
}

/** Returns an answer in one line, with the labels of its fields. */
function answerIn(execution: Execution | null, sha256: string): string | null {
  for (const request of execution?.requests ?? []) {
    const decision = decisionOf(request);
    const answer = [decision, ...allVotes(request.discussion)]
      .flatMap((source) => (source?.answer ? [source.answer] : []))
      .find((each) => answerFacts(each).sha256 === sha256);
    if (answer) return answerLine(answer, request.question.fields ?? []);
  }
  return null;
}

/** Groups sentences by minutes, because Slack shows no seconds. */
function minutesOf(sentences: readonly Sentence[]): Sentence[][] {
  const minuteOf = ({ at }: Sentence) => Math.floor(at / MINUTE_MS);
  const minutes: Sentence[][] = [];
  for (const sentence of sentences) {
    const last = minutes.at(-1);
    if (last?.[0] && minuteOf(last[0]) === minuteOf(sentence)) last.push(sentence);
    else minutes.push([sentence]);
  }
  return minutes;
}

function minuteBlocks(sentences: readonly Sentence[], say: Say): KnownBlock[] {
  const time = `*${slackDate(sentences[0]?.at ?? 0, say)}*`;
  return bulleted(sentences.map(({ text }) => text)).map((text, i) => section(i === 0 ? `${time}\n${text}` : text));
}

const REF_LENGTH = 100;
const NAME_LENGTH = 80;
const TASK_LENGTH = 120;

/** Mentions in a modal are names, and notify nobody. https://docs.slack.dev/messaging/formatting-message-text#mentioning-users */
function wordingOf(say: Say): Wording {
  return {
    say,
    name(idOrName) {
      const approver = parseApprover(idOrName);
      return approver ? approverMention(approver) : escapedLine(idOrName, NAME_LENGTH);
    },
    foreign: (text) => escapedLine(text, TASK_LENGTH),
    moment: (at, sentence) => withDate(at, say, sentence),
  };
}

interface Reference {
  ref: string;
  /** Null if the crew's service hasn't given one, or if it isn't known any more. */
  kickoffId: string | null;
  link: string | null;
}

/** An app can't copy text in Slack, and a phone can select only the text of a field. */
export function referenceModal({ ref, kickoffId, link }: Reference, say: Say): ModalView {
  return modal(say, {
    callbackId: 'reference',
    title: say('reference.title'),
    // A view with fields must have a submit button. https://docs.slack.dev/reference/views/modal-views
    submit: say('reference.done'),
    close: say('modal.close'),
    blocks: [
      field('ref', say('reference.ref'), ref),
      ...(kickoffId === null ? [] : [field('kickoff', say('reference.kickoff'), kickoffId)]),
      ...(link === null ? [] : [field('link', say('reference.link'), link)]),
      context(say('reference.hint')),
    ],
  });
}

function field(blockId: string, label: string, value: string): InputBlock {
  const initial = value.slice(0, TYPED_TEXT_LIMIT);
  return input(blockId, { label, element: textInput('shown', { initial, focus_on_load: blockId === 'ref' }) });
}
