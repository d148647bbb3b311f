import type { BlockAction, ButtonAction } from '@slack/bolt';

/** The card of a click without its buttons, and who approved it. */
export function decidedCard({ body, action }: { body: BlockAction; action: ButtonAction }) {
  const blocks = (body.message?.blocks ?? []).filter(({ type }: { type: string }) => type !== 'actions');
  const text = `Approved by <@${body.user.id}>`;
  const verdict = { type: 'context', block_id: `${action.block_id}-verdict`, elements: [{ type: 'mrkdwn', text }] };
  return { channel: body.channel?.id ?? '', ts: body.message?.ts ?? '', text, blocks: [...blocks, verdict] };
}
