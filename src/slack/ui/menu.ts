import type { BlockElementAction, ViewOutput } from '@slack/bolt';
import type { ActionsBlock, Button, Overflow } from '@slack/types';
import type { ActionId } from './action-ids.ts';
import { buttons, plain } from './blocks.ts';
import { type ApprovalKey, approvalValue, parseApprovalValue } from './button-value.ts';
import { OPTION_LIMIT } from './limits.ts';

/** The `action_id` of a menu. What is chosen in it counts as a click on the button that it stands for. */
const MENU = 'more';

/** Options are too short for the hash of a text, which the block of the menu carries. */
const BLOCK = 'text:';

interface Entry {
  actionId: ActionId;
  label: string;
}

/**
 * The choices for a request: buttons, and the rarer ones in a menu, at most five.
 * https://docs.slack.dev/reference/block-kit/block-elements/overflow-menu-element
 */
export function choices(
  { ref, approvalId, hash }: ApprovalKey,
  { inRow, inMenu }: { inRow: readonly (Button | null)[]; inMenu: readonly (Entry | null)[] },
): ActionsBlock[] {
  const options = inMenu
    .filter((entry) => entry !== null)
    .map(({ actionId, label }) => ({
      text: plain(label, OPTION_LIMIT),
      value: `${actionId} ${ref} ${approvalId}`,
    }));
  const menu: Overflow = { type: 'overflow', action_id: MENU, options };
  return buttons(...inRow, menu).map((row) => ({ ...row, block_id: `${BLOCK}${hash}` }));
}

/** The button that an entry of a menu stands for; null for any other click. In a modal it is about the text that the modal shows. */
export function buttonChosenIn(
  action: BlockElementAction,
  view: Pick<ViewOutput, 'private_metadata'> | undefined,
): { action_id: string; value: string } | null {
  const chosen = action.action_id === MENU && 'selected_option' in action ? action.selected_option?.value : null;
  const [, actionId, ref, approvalId] = /^(\w+) (\S+) (\S+)$/.exec(chosen ?? '') ?? [];
  if (!actionId || !ref || !approvalId) return null;
  const hash = action.block_id.startsWith(BLOCK) ? action.block_id.slice(BLOCK.length) : null;
  const { isRead } = parseApprovalValue(view?.private_metadata) ?? {};
  return { action_id: actionId, value: approvalValue({ ref, approvalId, hash, isRead }) };
}
