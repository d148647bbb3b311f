import { messageJson } from '../api/message-json.ts';
import { viewJson } from '../api/view-json.ts';
import type { HeldElement } from '../block-kit/interactive.ts';
import { deliver } from '../delivery/deliver.ts';
import { inputsFor } from '../inputs/initial-inputs.ts';
import { stateValue, stateValues } from '../inputs/state-values.ts';
import { compact, type Json, type JsonObject, objectAt, stringAt } from '../json.ts';
import type { ActionOutcome, ElementInput } from '../person-actions.ts';
import type { TriggerOrigin } from '../runtime/triggers.ts';
import { channelOf, type Workspace } from '../runtime/workspace.ts';
import type { StoredMessage, StoredView } from '../state/workspace-state.ts';
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
      actions: [actionJson(workspace, used)],
    },
    acceptsResponse: false,
  });
  if (delivered.ok) return { ok: true };
  const text =
    delivered.reason === 'timeout' ? 'This app did not respond. Try again.' : 'This app responded with an error.';
  return problem(failureCode(delivered), text, 'element');
}

function originOf({ userId, place }: UsedElement): TriggerOrigin {
  return 'view' in place ? { userId, viewId: place.view.id } : { userId, channelId: place.message.channel };
}

function actionJson(workspace: Workspace, used: UsedElement): JsonObject {
  const { element, block, input } = used;
  return compact({
    ...stateValue(element, input),
    type: element.type,
    action_id: element.action_id,
    block_id: block.block_id,
    text: objectAt(element, 'text'),
    value: pressedValue(element, input),
    style: element.style,
    placeholder: objectAt(element, 'placeholder'),
    action_ts: actionTs(workspace),
  });
}

function pressedValue(element: JsonObject, input: ElementInput): Json | undefined {
  if (input.kind === 'text') return input.value;
  if (input.kind !== 'press') return undefined;
  return input.value ?? stringAt(element, 'value');
}

function inMessage(workspace: Workspace, used: UsedElement, message: StoredMessage): JsonObject {
  const isEphemeral = message.onlyFor !== undefined;
  const channel = channelOf(workspace, message.channel);
  return compact({
    container: compact({
      type: 'message',
      message_ts: message.ts,
      channel_id: channel.id,
      is_ephemeral: isEphemeral,
      thread_ts: message.threadTs,
    }),
    channel: payloadChannel(channel),
    // Slack doesn't store ephemeral messages, so payloads can't include them.
    message: isEphemeral ? undefined : messageJson(workspace, message),
    state: { values: stateValues(message.blocks, inputsFor(message.blocks, message.inputs[used.userId] ?? {})) },
    response_url: responseUrl(workspace, {
      userId: used.userId,
      channelId: channel.id,
      originalTs: message.ts,
      ...(message.threadTs !== undefined && { threadTs: message.threadTs }),
    }),
  });
}

function inView(workspace: Workspace, view: StoredView): JsonObject {
  return { container: { type: 'view', view_id: view.id }, view: viewJson(workspace, view) };
}
