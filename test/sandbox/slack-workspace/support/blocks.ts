import { checkMessage } from '../../../../src/sandbox/slack-workspace/block-kit/check-message.ts';
import { checkView } from '../../../../src/sandbox/slack-workspace/block-kit/check-view.ts';
import type { JsonObject } from '../../../../src/sandbox/slack-workspace/json.ts';

export const plain = (text: string): JsonObject => ({ type: 'plain_text', text });
/** As Slack answers it. */
export const plainAnswered = (text: string): JsonObject => ({ ...plain(text), emoji: true });
export const mrkdwn = (text: string): JsonObject => ({ type: 'mrkdwn', text });
export const section = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'section',
  text: mrkdwn(text),
  ...more,
});
export const button = (text: string, more: JsonObject = {}): JsonObject => ({
  type: 'button',
  action_id: text.toLowerCase(),
  text: plain(text),
  ...more,
});
export const actions = (...elements: JsonObject[]): JsonObject => ({ type: 'actions', block_id: 'actions', elements });
export const option = (text: string, value = text): JsonObject => ({ text: plain(text), value });
export const input = (id: string, element: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'input',
  block_id: id,
  label: plain(id),
  element: { action_id: id, ...element },
  ...more,
});
export const textInput = (more: JsonObject = {}): JsonObject => ({ type: 'plain_text_input', ...more });
export const modal = (blocks: JsonObject[], more: JsonObject = {}): JsonObject => ({
  type: 'modal',
  title: plain('A modal'),
  submit: plain('Send'),
  blocks,
  ...more,
});

/** What the rules say of the blocks of a message, or of a view. */
export function problemsOf(made: JsonObject[] | JsonObject): string[] {
  const found = Array.isArray(made) ? checkMessage(made) : checkView(made);
  return found.map(({ message, pointer }) => `${message} ${pointer}`);
}
