import type { Person } from '../../core/approval/approval.ts';
import { findDecidable } from '../../core/approval/decide.ts';
import { handOver } from '../../core/approval/hand-over.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import { ok } from '../../core/result.ts';
import { permalink } from '../api/identity.ts';
import { postInChannel } from '../api/post-in-channel.ts';
import type { OnClick, OnSubmit, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { Submission } from '../interaction/submission.ts';
import { sayIn } from '../language/say.ts';
import { parseApprovalValue } from '../ui/button-value.ts';
import { cutLine } from '../ui/text/cut.ts';
import { changeRequest } from './change-request.ts';
import { takeOverText } from './denial-text.ts';
import { tried } from './find-decidable-request.ts';
import { APPROVER_BLOCK, handOverModal, readApprover } from './hand-over-modal.ts';
import { handedOverMessage } from './handed-over-message.ts';
import { modalOpener } from './open-modal.ts';
import { refusalAnswer } from './refused-click.ts';

export const onHandOver: OnClick = modalOpener('hand-over', async (context, { card }) =>
  ok(handOverModal(card, await context.say())),
);

/** The new approver gets one direct message, as well as it can be done. */
export const onApproverChosen: OnSubmit = async (context, submission, ack) => {
  const { view, actor } = submission;
  const key = parseApprovalValue(view.metadata);
  const chosen = readApprover(view.values);
  const by = actor.person;
  const isOther = chosen !== '' && chosen !== by.id;
  const to = isOther ? await personOf(context, chosen) : by;
  let isNew = false;
  const stored = await changeRequest(context, {
    ...{ key, by, others: [to], action: 'hand-over' },
    transition: (execution, { approvalId, ...asked }) => {
      const { now, ...permission } = asked;
      if (!isOther) return tried(execution, findDecidable(execution, approvalId, { personId: by.id, ...asked }));
      const handed = handOver(execution, approvalId, { by, to, ...permission }, now);
      isNew = handed.ok && handed.value !== execution;
      return handed;
    },
  });
  if (stored.ok && !isOther) {
    const say = await context.say();
    return ack(fieldError(chosen === '' ? say('hand-over.missing') : say('hand-over.yourself')));
  }
  await ack(stored.ok ? { kind: 'close' } : await answerTo(context, submission, stored.refusal));
  if (stored.ok && key && isNew) await tellApprover(context, stored.value, { approvalId: key.approvalId, to, by });
};

async function personOf({ people }: ListenerContext, id: string): Promise<Person> {
  return { id, name: await people.nameOf({ id, name: id }) };
}

async function answerTo(context: ListenerContext, submission: Submission, refusal: Refusal): Promise<SubmissionAnswer> {
  if (refusal.kind !== 'cannot-take-over') return refusalAnswer(context, submission, { refusal, typed: null });
  const say = await context.say();
  return fieldError(takeOverText(refusal.denial, { who: cutLine(refusal.to.name, 80), say }));
}

function fieldError(text: string): SubmissionAnswer {
  return { kind: 'errors', errors: { [APPROVER_BLOCK]: text } };
}

async function tellApprover(
  { client, identity, people, namesOf, log }: ListenerContext,
  { ref, crew, channel, root, approvals }: Execution,
  { approvalId, to, by }: { approvalId: string; to: Person; by: Person },
): Promise<void> {
  const approval = approvals.find(({ id }) => id === approvalId);
  const ts = approval ? tsOf(approval.card) : null;
  const link = ts === null ? null : permalink(identity, channel, ts, tsOf(root));
  try {
    const [name, language] = await Promise.all([namesOf(by), people.languageOf(to.id)]);
    const taskName = approval?.taskName ?? null;
    const message = handedOverMessage({ by, crew, taskName, link, name }, sayIn(language));
    await postInChannel(client, to.id, message);
  } catch (error) {
    log.warn(
      { ref, approvalId, to: to.id, err: error },
      'could not tell a person that a request was handed over to them',
    );
  }
}
