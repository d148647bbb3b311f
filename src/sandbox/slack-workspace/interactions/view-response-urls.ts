import { heldElements } from '../block-kit/interactive.ts';
import type { JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { blocksOf } from '../state/views.ts';
import type { StoredView } from '../state/workspace-state.ts';
import { responseUrl } from './payload-facts.ts';

/**
 * One for each menu in an input block of a modal that is set to `response_url_enabled`, for the conversation chosen in it.
 * https://docs.slack.dev/surfaces/modals#modal_response_url
 */
export function viewResponseUrls(workspace: Workspace, view: StoredView): JsonObject[] {
  return heldElements(blocksOf(view)).flatMap(({ block, element }) => {
    const blockId = String(block.block_id);
    const actionId = String(element.action_id);
    const input = view.inputs[blockId]?.[actionId];
    if (block.type !== 'input' || element.response_url_enabled !== true || input?.kind !== 'ids') return [];
    return input.ids.map((channelId) => ({
      block_id: blockId,
      action_id: actionId,
      channel_id: channelId,
      response_url: responseUrl(workspace, { userId: view.userId, channelId }),
    }));
  });
}
