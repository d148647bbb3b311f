import type { BlockElementAction, ViewOutput } from '@slack/bolt';
import type { Overflow } from '@slack/types';
import type { ActionId } from './action-ids.ts';
import { plain } from './blocks.ts';
import { type ApprovalKey, approvalValue, parseApprovalValue } from './button-value.ts';
import { OPTION_LIMIT } from './limits.ts';

/** The `action_id` of a menu. What is chosen in it counts as a click on the button that it stands for. */
const MENU = 'more';

interface Entry {
  actionId: ActionId;
  label: string;
}

/**
 * The rarer choices for a request, in place of buttons; at most five.
 * https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element
 */
export function menu({ ref, approvalId }: ApprovalKey, entries: readonly (Entry | null)[]): Overflow {
  const options = entries
    .filter((entry) => entry !== null)
    .map(({ actionId, label }) => ({
      text: plain(label, OPTION_LIMIT),
      // Options hold less than buttons do.
      value: `${actionId} ${ref} ${approvalId}`,
    }));
  return { type: 'overflow', action_id: MENU, options };
}

/** The button that an entry of a menu stands for; null for any other click. In a modal it is about the text that the modal shows. */
export function buttonChosenIn(
  action: BlockElementAction,
  view: Pick<ViewOutput, 'private_metadata'> | undefined,
): { action_id: string; value: string } | null {
  const chosen = action.action_id === MENU && 'selected_option' in action ? action.selected_option?.value : null;
  const [, actionId, ref, approvalId] = /^(\w+) (\S+) (\S+)$/.exec(chosen ?? '') ?? [];
  if (!actionId || !ref || !approvalId) return null;
  const shown = parseApprovalValue(view?.private_metadata);
  const hash = shown?.ref === ref && shown.approvalId === approvalId ? shown.hash : undefined;
  return { action_id: actionId, value: approvalValue({ ref, approvalId, hash }) };
}
