// The form that answers a question that isn't yes or no.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { answeredVote } from '../../../core/state/answer.ts';
import { allVotes } from '../../../core/state/request.ts';
import { type Answer, type InputField, MOST_FIELD_OPTIONS } from '../../../core/values/input-field.ts';
import type { Inputs } from '../../../core/values/json.ts';
import { ok, refuse } from '../../../core/values/result.ts';
import { cleanText } from '../../../core/values/text.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import type { ActionListener, ViewListener } from '../../listening/context.ts';
import { answerWords } from '../../request/answer-text.ts';
import { requestTitle } from '../../request/card-state.ts';
import { findDecidableRequest } from '../../request/change-request.ts';
import { answerWithRefusal, modalOpener } from '../../request/refusal.ts';
import { section, context as small } from '../../ui/blocks.ts';
import { keyOf, parse, parseApprovalValue, requestKey, type ShownRequest } from '../../ui/button-value.ts';
import { inputBlock, readFields } from '../../ui/form-inputs.ts';
import { HINT_LIMIT, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { seconds } from '../../ui/text/moment.ts';
import { submitApproval } from './sign-in.ts';

/** The form begins with the answer of the person, or else of somebody before them. */
export const onAnswer: ActionListener = modalOpener('approve', async (context, { card, request, by }) => {
  if (card.fields === undefined) return refuse({ kind: 'answer-needed' });
  const own = allVotes(request.discussion).find((vote) => vote.by.id === by.id);
  const { answer = {} } = own ?? answeredVote(request.discussion) ?? {};
  return ok(answerModal(card, { answer, afterMs: null }, await context.say()));
});

export const onAnswered: ViewListener = async ({ ack, context, view }) => {
  const { person: by } = context;
  const key = parseApprovalValue(view.private_metadata);
  const decidable = await findDecidableRequest(context, { key, by, action: 'approve' });
  if (!decidable.ok)
    return ack(await answerWithRefusal(context, view, { refusal: decidable.refusal, action: 'approve', typed: null }));
  const { card } = decidable.value;
  const { fields = [] } = card;
  const say = await context.say();
  const read = readFields(view.state.values, [...fields], say);
  if (!read.ok) return ack({ response_action: 'errors', errors: read.refusal });
  const answer = answerOf(read.value, fields);
  const review = parse(confirming, view.private_metadata)?.review ?? ('unasked' as const);
  const approval = { key, by, note: null, review, answer };
  await submitApproval({ ack, context, view }, approval, {
    typed: answerWords(answer, fields),
    tooSoon: async (afterMs) => ok(answerModal(card, { answer, afterMs }, say)),
  });
};

/** A form that says how soon the answer comes also confirms that. */
const confirming = requestKey.extend({ review: z.literal('confirmed') });

/** Typed texts are cleaned as people see them, so that the same answers are equal. An option stays what the program calls it. */
function answerOf(inputs: Inputs, fields: readonly InputField[]): Answer {
  const isTyped = (name: string) => fields.some((field) => field.name === name && field.type !== 'choice');
  const values = Object.entries(inputs).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'number') return [[name, value]];
    const text = isTyped(name) ? cleanText(String(value)).trim() : String(value);
    return text === '' ? [] : [[name, text]];
  });
  return Object.fromEntries(values);
}

/** Ten fields of this size fit into a modal. */
const ROOM = { typed: TYPED_TEXT_LIMIT, help: HINT_LIMIT, options: MOST_FIELD_OPTIONS };

/** @param form `answer`: the content of the fields. `afterMs`: time since the request, if the form was sent too soon. */
export function answerModal(
  card: ShownRequest & Pick<CardModel, 'crew' | 'taskName' | 'about' | 'round' | 'fields'>,
  { answer, afterMs }: { answer: Answer; afterMs: Millis | null },
  say: Say,
): ModalView {
  const state = { values: { ...answer }, missing: [], wrong: {} };
  const metadata = { ...keyOf(card), ...(afterMs !== null && { review: 'confirmed' }) };
  return modal(say, {
    callbackId: 'give_answer',
    title: say('answer.title'),
    submit: say('answer.send'),
    metadata: JSON.stringify(metadata),
    blocks: [
      ...(afterMs === null ? [] : [section(`⚠️ ${say('answer.too-soon', { time: seconds(afterMs, say) })}`)]),
      ...(card.fields ?? []).map((field) => inputBlock(field, ROOM, state, say)),
      small(requestTitle(card, say)),
    ],
  });
}
