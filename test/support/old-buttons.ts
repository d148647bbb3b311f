import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { SlackWorkspace } from '../../src/sandbox/slack-workspace/start-slack-workspace.ts';

/** A message as an older version of the app might have left it behind in a thread; its buttons are called by their action. */
export async function oldButtons(
  slack: SlackWorkspace,
  beside: Message,
  actions: (string | [string, string])[],
): Promise<Message> {
  const elements = actions.map((each) => {
    const unknown = JSON.stringify({ ref: 'a'.repeat(26), approvalId: '1' });
    const [action, value] = typeof each === 'string' ? [each, unknown] : each;
    return { type: 'button', action_id: action, text: { type: 'plain_text', text: action }, value };
  });
  const response = await fetch(`${slack.apiUrl}chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      channel: beside.channel,
      thread_ts: beside.threadTs,
      text: 'An old message',
      blocks: [{ type: 'actions', elements }],
    }),
  });
  const { ts } = (await response.json()) as { ts: string };
  return { ...beside, ts, blocks: [] };
}
