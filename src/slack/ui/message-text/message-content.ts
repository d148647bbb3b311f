import { blockText } from './block-text.ts';

/** What a message says, as Slack has it. */
export interface MessageContent {
  text: string;
  blocks: readonly unknown[];
  attachments: readonly { text: string; fallback: string }[];
}

/** A message as mrkdwn. Apps may leave `text` empty where they give blocks, and what is forwarded is attached. */
export function mrkdwnOf({ text, blocks, attachments }: MessageContent): string {
  const own = text.trim() === '' ? blocks.map(blockText).filter(Boolean).join('\n') : text;
  const attached = attachments.map((each) => each.text || each.fallback);
  return own.trim() === '' ? attached.filter(Boolean).join('\n') : own;
}
