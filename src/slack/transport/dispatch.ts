import type { AckFn, App, ViewResponseAction } from '@slack/bolt';
import { tellRefusal } from '../approval/decision.ts';
import { STRANGERS_MAY_NOT } from '../approval/refusal-text.ts';
import { tell } from '../interaction/answers.ts';
import { readClick } from '../interaction/click.ts';
import type { SubmissionAnswer } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { isOfOurs } from '../interaction/membership.ts';
import { readCommand } from '../interaction/slash-command.ts';
import { readSubmission } from '../interaction/submission.ts';
import { onKickoffCommand } from '../kickoff/command.ts';
import { answerMessage, answerModal, OUT_OF_DATE } from '../ui/answer-modal.ts';
import { clicks } from './clicks.ts';
import { submissions } from './submissions.ts';

/**
 * One listener for each kind of request, each of which looks up who answers it: Bolt runs every listener that matches, so
 * that overlapping patterns would answer twice. Nothing is answered to people of other organisations, whom Slack lets use
 * everything that stands in a shared channel.
 */
export function register(app: App, context: ListenerContext): void {
  app.command(/^/, async ({ body, ack, respond }) => {
    const command = readCommand(body);
    if (await isOfOurs(context, command.actor)) return onKickoffCommand(context, command, { ack, respond });
    await ack({ response_type: 'ephemeral', ...answerMessage(STRANGERS_MAY_NOT) });
  });

  app.action({ type: 'block_actions' }, async ({ body, ack }) => {
    const click = readClick(body);
    const onClick = entryOf(clicks, click.actionId);
    if (onClick && (await isOfOurs(context, click.actor))) return onClick(context, click, ack);
    await ack();
    if (onClick) return tellRefusal(context, click, { kind: 'stranger' });
    if (!click.isLink) await tell(context, click, { title: 'Out of date', text: OUT_OF_DATE });
  });

  app.view({ type: 'view_submission' }, async ({ body, ack }) => {
    const submission = readSubmission(body);
    const onSubmit = entryOf(submissions, submission.view.callbackId);
    if (!onSubmit) return ack();
    if (await isOfOurs(context, submission.actor))
      return onSubmit(context, submission, (answer) => acknowledge(ack, answer));
    await acknowledge(ack, { kind: 'update', view: answerModal('Nothing was changed', STRANGERS_MAY_NOT) });
  });

  app.view({ type: 'view_closed' }, async ({ ack }) => ack());
  app.options(/^/, async ({ ack }) => ack({ options: [] }));
  app.shortcut(/^/, async ({ ack }) => ack());
}

/** Ids come from outside and may be `constructor`, or belong to an older version. */
function entryOf<Handler>(table: Readonly<Record<string, Handler>>, id: string): Handler | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

function acknowledge(ack: AckFn<ViewResponseAction> | AckFn<void>, answer: SubmissionAnswer): Promise<void> {
  const answerWith = ack as AckFn<ViewResponseAction>;
  switch (answer.kind) {
    case 'close':
      return answerWith();
    case 'clear':
      return answerWith({ response_action: 'clear' });
    case 'update':
    case 'push':
      return answerWith({ response_action: answer.kind, view: answer.view });
    case 'errors':
      return answerWith({ response_action: 'errors', errors: answer.errors });
  }
}
