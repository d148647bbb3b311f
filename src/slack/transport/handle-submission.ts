import { strangerAnswer } from '../approval/refused-click.ts';
import { isMember } from '../interaction/actor.ts';
import type { AckSubmission, SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { readSubmission } from '../interaction/submission.ts';
import { keysIn } from '../ui/button-value.ts';
import type { Ack } from './request-handler.ts';
import { submissions } from './submissions.ts';

/** Answers a submitted modal. @throws {UnreadableRequest} */
export async function handleSubmission(context: ListenerContext, payload: unknown, ack: Ack): Promise<void> {
  const submission = readSubmission(payload);
  const { callbackId } = submission.view;
  // Ids come from outside and may be `constructor`, or belong to an older version.
  const entry = Object.hasOwn(submissions, callbackId) ? submissions[callbackId] : undefined;
  context.addToLog({
    ...{ by: submission.actor.person.id, pressed: entry ? callbackId : 'unknown' },
    ...keysIn(submission.view.metadata),
  });
  if (!entry) return ack();
  const answer: AckSubmission = (wanted) => ack(responseTo(wanted));
  const mayUse = entry.who !== 'members' || (await isMember(context, submission.actor));
  if (mayUse) return entry.handle(context, submission, answer);
  context.addToLog({ refusal: 'denied', denial: 'stranger' });
  return answer(strangerAnswer(await context.say()));
}

/** https://docs.slack.dev/surfaces/modals#response_actions */
function responseTo(answer: SubmissionAnswer): object | undefined {
  switch (answer.kind) {
    case 'close':
      return undefined;
    case 'clear':
      return { response_action: 'clear' };
    case 'update':
    case 'push':
      return { response_action: answer.kind, view: answer.view };
    case 'errors':
      return { response_action: 'errors', errors: answer.errors };
  }
}
