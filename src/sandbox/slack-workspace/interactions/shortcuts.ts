import { messageJson } from '../api/message-json.ts';
import { deliver } from '../delivery/deliver.ts';
import type { Delivered } from '../delivery/transport.ts';
import type { JsonObject } from '../json.ts';
import type { ActionOutcome } from '../person-actions.ts';
import { channelOf, type Workspace } from '../runtime/workspace.ts';
import type { StoredMessage } from '../state/workspace-state.ts';
import { actionTs, payloadChannel, payloadFacts, responseUrl } from './payload-facts.ts';
import { failureCode, problem } from './problem.ts';

/** https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload */
export function runMessageShortcut(
  workspace: Workspace,
  chosen: { userId: string; callbackId: string; message: StoredMessage },
): Promise<ActionOutcome> {
  const { userId, callbackId, message } = chosen;
  const channel = channelOf(workspace, message.channel);
  return send(workspace, 'message_action', {
    type: 'message_action',
    ...payloadFacts(workspace, userId),
    action_ts: actionTs(workspace),
    callback_id: callbackId,
    trigger_id: workspace.triggers.issue({ userId, channelId: channel.id }),
    response_url: responseUrl(workspace, { userId, channelId: channel.id, originalTs: message.ts }),
    channel: payloadChannel(channel),
    message_ts: message.ts,
    message: messageJson(workspace, message),
  });
}

/** Unlike elsewhere, the user has no `name`. */
export function runGlobalShortcut(
  workspace: Workspace,
  chosen: { userId: string; callbackId: string },
): Promise<ActionOutcome> {
  const { user, ...facts } = payloadFacts(workspace, chosen.userId);
  const { name: _, ...named } = user;
  return send(workspace, 'shortcut', {
    type: 'shortcut',
    ...facts,
    user: named,
    action_ts: actionTs(workspace),
    callback_id: chosen.callbackId,
    trigger_id: workspace.triggers.issue({ userId: chosen.userId }),
  });
}

async function send(workspace: Workspace, name: string, payload: JsonObject): Promise<ActionOutcome> {
  const delivered: Delivered = await deliver(workspace, { kind: 'interactive', name, payload, acceptsResponse: false });
  if (delivered.ok) return { ok: true };
  return problem(
    failureCode(delivered),
    `${workspace.app.name} is not responding to this shortcut. Try again.`,
    'toast',
  );
}
