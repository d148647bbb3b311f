// The modals before an approval: the note, its preview, the question whether it comes too soon, and the link to sign in.
import type { InputBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { Answer } from '../../core/values/input-field.ts';
import type { Millis } from '../../core/values/time.ts';
import type { Say } from '../language/say.ts';
import { buttons, context, linkButton, plain, preformatted, section } from '../ui/blocks.ts';
import {
  approvalValue,
  codec,
  type FormValues,
  keyOf,
  parse,
  type RequestKey,
  requestKey,
  type ShownRequest,
  typedText,
} from '../ui/button-value.ts';
import { input, select, textInput } from '../ui/inputs.ts';
import { METADATA_LIMIT, OPTION_LIMIT } from '../ui/limits.ts';
import { modal, modalOf } from '../ui/modal.ts';
import { cut, escapedLine } from '../ui/text/escape.ts';
import { seconds } from '../ui/text/moment.ts';
import { wholeAnswer } from './answer-text.ts';
import { requestTitle } from './card-state.ts';

export const NOTE_BLOCK = 'note';

/** The preview carries the note in its `private_metadata` as JSON, where a typed character can take two. */
const NOTE_LIMIT = (METADATA_LIMIT - 600) / 2;
/** Room for ten of the longest notes, each line of which is quoted. */
const PREVIEW_LIMIT = 38_000;

/** `with-others`: the note is sent together with the notes of others. */
type Sending = 'as-typed' | 'with-others';

const OUTCOME_BLOCK = 'outcome';

/** An outcome that approves. `choice`: its place among all outcomes. */
interface ApprovingOutcome {
  outcome: string;
  choice: number;
}

function outcomeInput(outcomes: readonly ApprovingOutcome[], say: Say): InputBlock {
  const options = outcomes.map(({ outcome, choice }) => ({
    text: plain(outcome, OPTION_LIMIT),
    value: String(choice),
  }));
  const [only, ...others] = options;
  return input(OUTCOME_BLOCK, {
    label: say('note.outcome'),
    element: select('outcome_input', options, others.length === 0 ? only : null),
  });
}

/** Reads the place of the outcome that comes with the note. Undefined if the form has no such choice. */
export function readNoteOutcome(values: FormValues): number | undefined {
  const typed = typedText(values, OUTCOME_BLOCK);
  return typed === '' ? undefined : Number(typed);
}

/**
 * Asks for the note of an approval. A preview follows if anything is added to the note. `parseApprovalValue` reads its
 * `private_metadata`.
 * @param form `typed`: the content of the field. `outcomes`: offered for a choice; none if the person has already chosen.
 */
export function noteModal(
  card: ShownRequest & Pick<CardModel, 'crew'>,
  { sending, typed = '', outcomes = [] }: { sending: Sending; typed?: string; outcomes?: readonly ApprovingOutcome[] },
  say: Say,
): ModalView {
  const who = { crew: escapedLine(card.crew, 80) };
  const isPreviewed = sending === 'with-others';
  return modal(say, {
    callbackId: 'write_note',
    title: say('note.title'),
    submit: say(isPreviewed ? 'modal.preview' : 'card.approve'),
    metadata: JSON.stringify({ ...keyOf(card), sending }),
    blocks: [
      section(say(isPreviewed ? 'note.intro-previewed' : 'note.intro', who)),
      ...(outcomes.length === 0 ? [] : [outcomeInput(outcomes, say)]),
      input(NOTE_BLOCK, {
        label: say('note.label'),
        hint: say('note.hint', { most: NOTE_LIMIT }),
        element: textInput('note_input', {
          multiline: true,
          focus_on_load: true,
          max_length: NOTE_LIMIT,
          initial: cut(typed, NOTE_LIMIT),
        }),
      }),
    ],
  });
}

/** Older versions always promised a preview. */
const sendingIn = z.object({ sending: z.literal('as-typed') });

/** Reads what the form has promised to do with the note. */
export function parseSending(metadata: string): Sending {
  return parse(sendingIn, metadata)?.sending ?? 'with-others';
}

/** Reads the note without surrounding space, clean enough to be shown and sent exactly as it is. */
export function readNote(values: FormValues): string {
  return cut(typedText(values, NOTE_BLOCK).trim(), NOTE_LIMIT);
}

/** A note that the person previews before they approve. */
export interface NotePreview extends RequestKey {
  crew: string;
  note: string;
  /** Text that the crew will receive: the note, joined with those of others. */
  text: string;
  /** Number of people who have to approve after this one. */
  needed: number;
  /** Time since the crew asked. Null unless that is shorter than the policy wants. */
  soonMs: number | null;
}

/** Shows exactly what the crew will receive. `noteValue` reads its `private_metadata`. */
export function notePreviewModal(preview: NotePreview, say: Say): ModalView {
  const { text, needed, soonMs } = preview;
  const who = { crew: escapedLine(preview.crew, 80) };
  const review = soonMs === null ? 'unasked' : 'confirmed';
  return modal(say, {
    callbackId: 'send_note',
    title: say('note.title'),
    submit: say('card.approve'),
    close: say('modal.back'),
    metadata: noteValue.write({ ...preview, review }),
    blocks: [
      ...(soonMs === null ? [] : [section(`⚠️ *${say('soon.title')}* ${soonText(soonMs, say)}`)]),
      section(needed === 0 ? say('note.exactly', who) : say('note.so-far', who)),
      preformatted(text, PREVIEW_LIMIT),
      ...(needed === 0 ? [] : [section(say('note.needed', { count: needed }))]),
    ],
  });
}

/** The note that a confirmed preview sends. */
export const noteValue = codec(
  requestKey.extend({
    note: z.string(),
    /** Older versions never asked. */
    review: z.enum(['confirmed', 'unasked']).default('unasked'),
  }),
);

/** The reason why an approval comes too soon: the crew has only just asked, or the window has only just shown this request. */
export type WhySoon = { kind: 'just-asked'; afterMs: Millis } | { kind: 'just-opened' };

/** Asks whether the person wants to approve that soon. `parseApprovalValue` reads its `private_metadata`. */
export function approveSoonModal(key: RequestKey, why: WhySoon, say: Say): ModalView {
  return modal(say, {
    callbackId: 'approve_soon',
    title: say('soon.title'),
    submit: say('card.approve'),
    close: say('card.go-back'),
    metadata: approvalValue(key),
    blocks: [section(why.kind === 'just-opened' ? say('soon.just-opened') : soonText(why.afterMs, say))],
  });
}

/**
 * Shows the link to the page where the person signs in, so that their approval counts.
 * @param link `id`: the name by which we update the modal once the person has signed in
 */
export function signInModal(
  card: CardModel,
  { id, url, isNoted, answer }: { id: string; url: string; isNoted: boolean; answer: Answer | undefined },
  say: Say,
): ModalView {
  const about = { request: requestTitle(card, say) };
  const blocks = [
    section(say(answer ? 'sign-in.intro-answer' : isNoted ? 'sign-in.intro-note' : 'sign-in.intro', about)),
    ...(answer ? wholeAnswer(answer, card.fields ?? []) : []),
    ...buttons(linkButton(say('sign-in.button'), url)),
    context(say('sign-in.next')),
  ];
  return { ...modalOf(say, { title: say('sign-in.title'), blocks }), external_id: id };
}

function soonText(afterMs: Millis, say: Say): string {
  return say('soon.just-asked', { duration: seconds(afterMs, say) });
}
