// Answering a question that isn't yes or no: the form with its fields, and how it is read.
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { CardModel } from '../../../core/messages/view-models.ts';
import { answeredVote } from '../../../core/state/answer.ts';
import { allVotes } from '../../../core/state/approval.ts';
import { type Answer, type InputField, MOST_FIELD_OPTIONS } from '../../../core/values/input-field.ts';
import type { Inputs } from '../../../core/values/json.ts';
import { ok, refuse } from '../../../core/values/result.ts';
import { cleanText } from '../../../core/values/text.ts';
import type { Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import type { ActionListener, ViewListener } from '../../listening/context.ts';
import { showAbove, showInstead } from '../../listening/modals.ts';
import { answerWords } from '../../request/answer-text.ts';
import { requestTitle } from '../../request/card-state.ts';
import { approvalBy, changeRequest, findDecidableRequest } from '../../request/change-request.ts';
import { ackStored } from '../../request/outcome.ts';
import { modalOpener, refusalAnswer } from '../../request/refusal.ts';
import { section, context as small } from '../../ui/blocks.ts';
import { approvalKey, keyOf, parse, parseApprovalValue, type ShownRequest } from '../../ui/button-value.ts';
import { inputBlock, readFields } from '../../ui/form-inputs.ts';
import { HINT_LIMIT, TYPED_TEXT_LIMIT } from '../../ui/limits.ts';
import { modal } from '../../ui/modal.ts';
import { seconds } from '../../ui/text/moment.ts';
import { findSignIn } from './sign-in.ts';

/** Filled in with what the person, or else somebody before them, has answered. */
export const onAnswer: ActionListener = modalOpener('approve', async (context, { card, request, by }) => {
  if (card.fields === undefined) return refuse({ kind: 'answer-needed' });
  const own = allVotes(request).find((vote) => vote.by.id === by.id);
  const { answer = {} } = own ?? answeredVote(request) ?? {};
  return ok(answerModal(card, { answer, afterMs: null }, await context.say()));
});

export const onAnswered: ViewListener = async ({ ack, context, view }) => {
  const { person: by } = context;
  const key = parseApprovalValue(view.private_metadata);
  const found = await findDecidableRequest(context, { key, by, action: 'approve' });
  if (!found.ok)
    return ack(await refusalAnswer(context, view, { refusal: found.refusal, action: 'approve', typed: null }));
  const { card } = found.value;
  const { fields = [] } = card;
  const say = await context.say();
  const read = readFields(view.state.values, [...fields], say);
  if (!read.ok) return ack({ response_action: 'errors', errors: read.refusal });
  const answer = answerOf(read.value, fields);
  const review = parse(confirming, view.private_metadata)?.review ?? ('unasked' as const);
  const given = { by, note: null, review, answer } as const;
  const stored = await changeRequest(context, { key, ...approvalBy(context, given) });
  if (stored.ok) return ackStored(context, view, { execution: stored.value, key, verdict: 'approve', ack });
  const { refusal } = stored;
  if (refusal.kind === 'too-soon')
    return ack(showInstead(view, answerModal(card, { answer, afterMs: refusal.afterMs }, say)));
  const signIn = key && refusal.kind === 'sign-in-needed' ? await findSignIn(context, key, given) : null;
  if (signIn?.ok) return ack(showAbove(view, signIn.value));
  const typed = answerWords(answer, fields);
  await ack(
    await refusalAnswer(context, view, { refusal: signIn ? signIn.refusal : refusal, action: 'approve', typed }),
  );
};

/** A form that says how soon the answer is also confirms that. */
const confirming = approvalKey.extend({ review: z.literal('confirmed') });

/**
 * Values of these fields are texts and numbers. What was typed is what people are shown of it, so that the same answers are equal; an
 * option stays what the asking program calls it.
 */
function answerOf(inputs: Inputs, fields: readonly InputField[]): Answer {
  const isTyped = (name: string) => fields.some((field) => field.name === name && field.type !== 'choice');
  const values = Object.entries(inputs).flatMap(([name, value]): [string, string | number][] => {
    if (typeof value === 'number') return [[name, value]];
    const text = isTyped(name) ? cleanText(String(value)).trim() : String(value);
    return text === '' ? [] : [[name, text]];
  });
  return Object.fromEntries(values);
}

/** What a field may hold: ten of them fit into a modal with all that they may have. */
const ROOM = { typed: TYPED_TEXT_LIMIT, help: HINT_LIMIT, options: MOST_FIELD_OPTIONS };

/** @param form what its fields hold already, and how soon after the request it was sent; null before it was */
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
