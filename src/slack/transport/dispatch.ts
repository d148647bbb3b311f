import type { AckFn, AllMiddlewareArgs, AnyMiddlewareArgs, App, ViewResponseAction } from '@slack/bolt';
import { isMember } from '../../core/approval/policy.ts';
import { STRANGERS_MAY_NOT } from '../approval/refusal-text.ts';
import { STRANGER_ANSWER, tellRefusal } from '../approval/refused-click.ts';
import { factsOf } from '../interaction/actor.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import { readClick } from '../interaction/click.ts';
import type {
  AckClick,
  AckSubmission,
  ClickEntry,
  SubmissionAnswer,
  SubmissionEntry,
} from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { UnreadableRequest } from '../interaction/parse-request.ts';
import { readCommand } from '../interaction/slash-command.ts';
import type { Submission } from '../interaction/submission.ts';
import { readSubmission } from '../interaction/submission.ts';
import { onKickoffCommand } from '../kickoff/command.ts';
import { answerMessage, OUT_OF_DATE } from '../ui/answer-modal.ts';
import { clicks } from './clicks.ts';
import { submissions } from './submissions.ts';

/**
 * One listener per kind of request, which looks up the handler: Bolt runs every listener that matches, so overlapping
 * patterns would answer twice. People from other organisations can click whatever is in a shared channel, so what Slack
 * vouches for about a person is found out here, once, for the dispatcher or the policy to judge.
 */
export function register(app: App, context: ListenerContext): void {
  app.use(refuseClicksOnNothing);

  app.command(/^/, async ({ body, ack }) => {
    const command = readCommand(body);
    if (isMember(await factsOf(context, command.actor))) return onKickoffCommand(context, command, ack);
    await ack({ response_type: 'ephemeral', ...answerMessage(STRANGERS_MAY_NOT) });
  });

  app.action({ type: 'block_actions' }, async ({ body, ack }) => {
    const click = readClick(body);
    const entry = entryOf(clicks, click.actionId);
    if (entry) return handleClick(context, click, { entry, ack });
    await ack();
    if (!click.isLink) await tell(context, click, { title: 'Out of date', text: OUT_OF_DATE });
  });

  app.view({ type: 'view_submission' }, async ({ body, ack }) => {
    const submission = readSubmission(body);
    const entry = entryOf(submissions, submission.view.callbackId);
    if (!entry) return ack();
    await handleSubmission(context, submission, { entry, ack: (answer) => acknowledge(ack, answer) });
  });

  app.view({ type: 'view_closed' }, async ({ ack }) => ack());
  // A pattern would be matched against whatever is there as an id, which fails for ids that aren't text.
  app.options({}, async ({ ack }) => ack({ options: [] }));
  app.shortcut({}, async ({ ack }) => ack());
}

/** Bolt would call no listener for them. */
async function refuseClicksOnNothing({ payload, next }: AllMiddlewareArgs & AnyMiddlewareArgs): Promise<void> {
  if (!payload) throw new UnreadableRequest(['actions.0']);
  await next();
}

/** Ids come from outside and may be `constructor`, or belong to an older version. */
function entryOf<Handler>(table: Readonly<Record<string, Handler>>, id: string): Handler | undefined {
  return Object.hasOwn(table, id) ? table[id] : undefined;
}

async function handleClick(
  context: ListenerContext,
  click: Click,
  { entry, ack }: { entry: ClickEntry; ack: AckClick },
): Promise<void> {
  const facts = await factsOf(context, click.actor);
  switch (entry.who) {
    case 'policy':
      return entry.handle(context, click, { ack, facts });
    case 'members':
      if (isMember(facts)) return entry.handle(context, click, ack);
      await ack();
      return tellRefusal(context, click, { kind: 'stranger' });
  }
}

async function handleSubmission(
  context: ListenerContext,
  submission: Submission,
  { entry, ack }: { entry: SubmissionEntry; ack: AckSubmission },
): Promise<void> {
  const facts = await factsOf(context, submission.actor);
  switch (entry.who) {
    case 'policy':
      return entry.handle(context, submission, { ack, facts });
    case 'members':
      return isMember(facts) ? entry.handle(context, submission, ack) : ack(STRANGER_ANSWER);
  }
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
