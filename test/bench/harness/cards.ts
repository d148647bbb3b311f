import { z } from 'zod';
import type { Posted } from '../stubs/state.ts';

/** A card that asks for an approval, as Slack keeps it. */
export interface Card {
  taskId: string;
  channel: string;
  ts: string;
  threadTs: string;
  text: string;
  blocks: object[];
  approve: { actionId: string; blockId: string; value: string };
}

const BUTTON = z.object({
  type: z.literal('button'),
  action_id: z.string(),
  value: z.string(),
  text: z.object({ text: z.literal('Approve') }),
});
const BLOCKS = z.array(z.looseObject({ block_id: z.string().optional(), elements: z.array(z.unknown()).optional() }));

/** @throws where it has no button that approves */
export function readCard({ raw, channel, ts, draft }: Posted): Card {
  const form = new URLSearchParams(raw);
  const blocks = BLOCKS.parse(JSON.parse(form.get('blocks') ?? '[]'));
  for (const { block_id: blockId = 'actions', elements = [] } of blocks)
    for (const element of elements) {
      const button = BUTTON.safeParse(element).data;
      if (!button) continue;
      const approve = { actionId: button.action_id, blockId, value: button.value };
      const [text, threadTs] = [form.get('text') ?? '', form.get('thread_ts') ?? ts];
      return { taskId: draft ?? '', channel, ts, threadTs, text, blocks, approve };
    }
  throw new Error(`a card without a button that approves: ${raw.slice(0, 500)}`);
}

/** Another card of the same looks and size, whose button says the task. */
export function copyOf(card: Card, number: number): Card {
  const taskId = `copy-${number}`;
  const ts = `1700000009.${String(number).padStart(6, '0')}`;
  return { ...card, taskId, ts, approve: { ...card.approve, value: taskId } };
}
