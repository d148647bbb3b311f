import { setTimeout as delay } from 'node:timers/promises';
import type { Person } from '../../core/approval/approval.ts';
import type { Execution } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import { permalink } from '../api/identity.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import type { ViewAnswer, ViewListener } from '../interaction/listeners.ts';
import type { Say } from '../language/say.ts';
import { readPickedCrew } from './crew-picker.ts';
import { followStart, patienceOf, progressOf } from './follow-start.ts';
import { fieldsOf, formView } from './form-view.ts';
import type { KickoffMetadata } from './kickoff-metadata.ts';
import { parseKickoffMetadata } from './kickoff-metadata.ts';
import { atFirstField, outOfDate } from './out-of-date.ts';
import { startedModal, startingModal } from './progress-modals.ts';
import { readKickoffForm } from './read-form.ts';
import { isAgreed, SHARING_BLOCK } from './sharing.ts';
import { startCrew } from './start-crew.ts';
import { startRefusalModal } from './start-refusal-text.ts';
import { startTroubleView, troubleOf } from './start-trouble-view.ts';
import { inputsSentence } from './trouble.ts';
import { findOffered, type StartRefusal, whyNotStart } from './why-not-start.ts';

/**
 * Slack allows a submission three seconds; a later answer of the crew is cached for the next attempt.
 * https://docs.slack.dev/interactivity/handling-user-interaction#acknowledgment_response
 */
const MAX_WAIT_FOR_FIELDS_MS = 1_500;

/** Stores the start and acknowledges with what is known of it by then. Values that can't be used are marked at their fields. */
export const onKickoffForm: ViewListener = async ({ ack, context, view }) => {
  const by = context.person;
  const metadata = parseKickoffMetadata(view.private_metadata);
  const say = await context.say();
  if (!metadata) return ack(await outOfDate(context, { view, by, say }));
  const { crew, channel, attempt, sharing } = { ...metadata, crew: readPickedCrew(view.state.values) ?? metadata.crew };
  if (crew !== metadata.crew) return ack(await formOf(context, { ...metadata, crew }, { by, say }));
  const [refusal, answer] = await Promise.all([
    whyNotStart(context, { crew, channel, by }),
    Promise.race([fieldsOf(context, crew, metadata.unreported), delay(MAX_WAIT_FOR_FIELDS_MS, null, { ref: false })]),
  ]);
  if (refusal) return ack(refusalAnswer(refusal, say));
  if (answer === null) return ack(atFirstField(view, say('inputs.slow', { crew })));
  if (answer.kind === 'unknown') return ack(atFirstField(view, inputsSentence(answer.code, crew, say)));
  const inputs = readKickoffForm(view.state.values, answer.fields, say);
  if (!inputs.ok) return ack({ response_action: 'errors', errors: inputs.refusal });
  if (!isAgreed(sharing, view.state.values))
    return ack({ response_action: 'errors', errors: { [SHARING_BLOCK]: say('form.share') } });
  const seed = { form: { viewId: view.id, attempt } };
  const ref = await startCrew(context, { crew, channel, by, inputs: inputs.value, seed });
  await ack(await startAnswer(context, { ...metadata, ref, crew, attempt: attempt + 1 }, say));
};

/** Closes the form once the crew has accepted, brings it back if it hasn't, and claims no more than is known. */
async function startAnswer(
  context: ListenerContext,
  { ref, crew, attempt, channelFrom }: Pick<KickoffMetadata, 'crew' | 'attempt' | 'channelFrom'> & { ref: string },
  say: Say,
): Promise<ViewAnswer> {
  const execution = await followStart(context, ref);
  if (!execution || execution.run.status === 'starting')
    return { response_action: 'update', view: startingModal({ crew, progress: progressOf(execution) }, say) };
  const trouble = troubleOf(execution.run);
  if (!trouble) return channelFrom === 'place' ? { response_action: 'clear' } : whereItRuns(context, execution, say);
  const failed = { execution, trouble, channelFrom, attempt, patienceMs: patienceOf(context) };
  return { response_action: 'update', view: await startTroubleView(context, failed, say) };
}

/** The starter may be looking at another channel, or at Home. */
function whereItRuns({ identity }: ListenerContext, { crew, channel, root }: Execution, say: Say): ViewAnswer {
  const ts = tsOf(root);
  const link = ts === null ? null : permalink(identity, channel, ts, null);
  return { response_action: 'update', view: startedModal({ crew, channel, link }, say) };
}

/** The form was submitted before the fields of the picked crew arrived. */
async function formOf(
  context: ListenerContext,
  metadata: KickoffMetadata,
  { by, say }: { by: Person; say: Say },
): Promise<ViewAnswer> {
  const offered = await findOffered(context, { ...metadata, by });
  if (!offered.ok) return refusalAnswer(offered.refusal, say);
  return {
    response_action: 'update',
    view: await formView(context, { ...metadata, crews: offered.value, values: {} }, say),
  };
}

/** Where trying again may help, the form with all that was typed stays below the answer. */
function refusalAnswer(refusal: StartRefusal, say: Say): ViewAnswer {
  const mayPass = refusal.denial?.kind === 'unsure' || refusal.denial?.kind === 'no-token';
  return { response_action: mayPass ? 'push' : 'update', view: startRefusalModal(refusal, say) };
}
