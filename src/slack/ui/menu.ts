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

interface Clicked {
  actionId: string;
  value: string;
  view: { metadata: string } | null;
}

/** The button that an entry of a menu stands for; any other click as it is. In a modal it is about the text that the modal shows. */
export function clickedInMenu<Click extends Clicked>(click: Click): Click {
  const [, actionId, ref, approvalId] = /^(\w+) (\S+) (\S+)$/.exec(click.value) ?? [];
  if (click.actionId !== MENU || !actionId || !ref || !approvalId) return click;
  const shown = parseApprovalValue(click.view?.metadata);
  const hash = shown?.ref === ref && shown.approvalId === approvalId ? shown.hash : undefined;
  return { ...click, actionId, value: approvalValue({ ref, approvalId, hash }) };
}
