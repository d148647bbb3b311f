import { fileFinder } from '../api/file-json.ts';
import { messageJson } from '../api/message-json.ts';
import { viewJson } from '../api/views.ts';
import { feedbackButton, type HeldElement, messageBlocks, withChildren } from '../block-kit/interactive.ts';
import { deliver } from '../delivery/deliver.ts';
import type { Delivered } from '../delivery/transport.ts';
import { inputsFor, stateValue, stateValues } from '../inputs/element-inputs.ts';
import { compact, type JsonObject, objectAt, stringAt } from '../json.ts';
import type { ActionOutcome, ElementInput } from '../person-actions.ts';
import type { TriggerOrigin } from '../runtime/grants.ts';
import { channelOf, type Workspace } from '../runtime/workspace.ts';
import type { StoredMessage, StoredView } from '../state/workspace-state.ts';
import { functionFacts } from './function-executed.ts';
import { actionTs, payloadChannel, payloadFacts, responseUrl } from './payload-facts.ts';
import { failureCode, problem } from './problem.ts';

type UsedElement = HeldElement & {
  userId: string;
  input: ElementInput;
  place: { message: StoredMessage } | { view: StoredView };
};

/** Sends `block_actions` to the app. https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export async function sendBlockAction(workspace: Workspace, used: UsedElement): Promise<ActionOutcome> {
  const where =
    'message' in used.place ? inMessage(workspace, used, used.place.message) : inView(workspace, used.place.view);
  const delivered = await deliver(workspace, {
    kind: 'interactive',
    name: 'block_actions',
    payload: {
      type: 'block_actions',
      ...payloadFacts(workspace, used.userId),
      trigger_id: workspace.triggers.issue(originOf(used)),
      ...where,
      ...('message' in used.place && functionFacts(workspace, used.place.message.executionId, used.userId)),
      actions: [actionJson(workspace, used)],
    },
    acceptsResponse: true,
  });
  if (delivered.ok) return { ok: true };
  return problem(failureCode(delivered), failureText(delivered), 'element');
}

function failureText({ reason }: Exclude<Delivered, { ok: true }>): string {
  switch (reason) {
    case 'timeout':
      return 'This app did not respond. Try again.';
    case 'not_configured':
      // https://github.com/Smana/runlore/pull/236, https://github.com/slackapi/node-slack-sdk/issues/869
      return 'This app is not configured to handle interactive responses.';
    case 'unreachable':
    case 'http_error':
    case 'dropped':
      return 'This app responded with an error.';
  }
}

function originOf({ userId, place }: UsedElement): TriggerOrigin {
  return 'view' in place ? { userId, viewId: place.view.id } : { userId, channelId: place.message.channel };
}

function actionJson(workspace: Workspace, used: UsedElement): JsonObject {
  const { element, block, input } = used;
  const pressed = (input.kind === 'press' && feedbackButton(element, input.value)) || element;
  return compact({
    ...stateValue(element, input, fileFinder(workspace)),
    type: element.type,
    action_id: element.action_id,
    block_id: block.block_id,
    ...settingsOf(element),
    text: objectAt(pressed, 'text'),
    value: input.kind === 'text' ? input.value : stringAt(pressed, 'value'),
    action_ts: actionTs(workspace),
  });
}

/**
 * The settings of its element that an action repeats, by the types in `@slack/bolt`:
 * https://docs.slack.dev/tools/bolt-js/reference/interfaces/BlockAction
 */
const REPEATED = /^(text|style|url|icon|placeholder|confirm|min_query_length|initial_\w+)$/;

function settingsOf(element: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(element).filter(([name]) => REPEATED.test(name)));
}

function inMessage(workspace: Workspace, used: UsedElement, message: StoredMessage): JsonObject {
  const isEphemeral = message.onlyFor !== undefined;
  const channel = channelOf(workspace, message.channel);
  const blocks = messageBlocks(message);
  const inputs = inputsFor(blocks, message.inputs[used.userId] ?? {});
  return compact({
    container: compact({
      ...containerKind(message, used.block),
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      thread_ts: message.threadTs,
    }),
    channel: payloadChannel(channel),
    // Slack doesn't store ephemeral messages, so payloads can't include them.
    message: isEphemeral ? undefined : messageJson(workspace, message),
    state: { values: stateValues(blocks, inputs, fileFinder(workspace)) },
    response_url: responseUrl(workspace, {
      userId: used.userId,
      channelId: channel.id,
      originalTs: message.ts,
    }),
  });
}

/** https://docs.slack.dev/messaging/creating-interactive-messages */
function containerKind(message: StoredMessage, block: JsonObject): JsonObject {
  const attachment = message.attachments?.find(({ blocks = [] }) => withChildren(blocks).includes(block));
  if (!attachment) return { type: 'message' };
  return { type: 'message_attachment', attachment_id: attachment.id, is_app_unfurl: false };
}

function inView(workspace: Workspace, view: StoredView): JsonObject {
  return { container: { type: 'view', view_id: view.id }, view: viewJson(workspace, view) };
}
