import { App, type BlockAction, LogLevel } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { PageControl } from '../../../../src/sandbox/slack-workspace/page-controls.ts';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';

export type TinyApp = { slack: SlackWorkspace; close(): Promise<void> };

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const button = (id: string, text: string) => ({ type: 'button', action_id: id, text: plain(text) }) as const;
const input = (id: string, label: string, multiline = false) =>
  ({
    type: 'input',
    block_id: id,
    label: plain(label),
    element: { type: 'plain_text_input', action_id: 'value', multiline },
  }) as const;

/**
 * A workspace with its page, and an unmodified Bolt app over Socket Mode that asks for an approval: `/ask` opens a form,
 * its answer is posted with a thread, in which the request is decided; a rejection asks for feedback.
 */
export async function startTinyApp(controls: readonly PageControl[]): Promise<TinyApp> {
  const command = { command: '/ask', description: 'Ask for an approval', usageHint: '[what]' };
  const slack = await startSlackWorkspace({
    pageDir: pageFolder(),
    controls,
    app: { commands: [command], delivery: { mode: 'socket' } },
  });
  const clientOptions = { slackApiUrl: slack.apiUrl };
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    clientOptions,
    logLevel: LogLevel.ERROR,
  });
  listen(app);
  await app.start();
  return {
    slack,
    close: async () => {
      await app.stop();
      await slack.close();
    },
  };
}

function listen(app: App): void {
  app.event('app_home_opened', async ({ event, client }) => {
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'Nothing waits for you.' } } as const];
    await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } });
  });
  app.command('/ask', async ({ ack, client, body }) => {
    await ack();
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: 'modal',
        callback_id: 'ask',
        private_metadata: body.channel_id,
        title: plain('Ask for an approval'),
        submit: plain('Ask'),
        blocks: [input('what', 'What is it about?')],
      },
    });
  });
  app.view('ask', async ({ ack, view, client, body }) => {
    const what = view.state.values.what?.value?.value ?? '';
    if (what.length < 3) return ack({ response_action: 'errors', errors: { what: 'Say a little more.' } });
    await ack();
    const channel = view.private_metadata;
    const { ts = '' } = await client.chat.postMessage({ channel, text: `<@${body.user.id}> asks: ${what}` });
    await client.chat.postMessage({
      channel,
      thread_ts: ts,
      text: `Please decide: ${what}`,
      blocks: [
        { type: 'markdown', text: `Please decide: **${what}**` },
        { type: 'actions', elements: [button('approve', 'Approve'), button('reject', 'Reject…')] },
      ],
    });
  });
  app.action<BlockAction>('approve', async ({ ack, client, body }) => {
    await ack();
    await client.chat.update({ ...placeOf(body), text: `✓ Approved by <@${body.user.id}>`, blocks: [] });
  });
  app.action<BlockAction>('reject', async ({ ack, client, body }) => {
    await ack();
    const view: ModalView = {
      type: 'modal',
      callback_id: 'feedback',
      private_metadata: JSON.stringify(placeOf(body)),
      title: plain('Reject'),
      submit: plain('Reject'),
      blocks: [input('why', 'Feedback', true)],
    };
    await client.views.open({ trigger_id: body.trigger_id, view });
  });
  app.view('feedback', async ({ ack, view, client, body }) => {
    await ack();
    const why = view.state.values.why?.value?.value;
    const place: ReturnType<typeof placeOf> = JSON.parse(view.private_metadata);
    await client.chat.update({ ...place, text: `✗ Rejected by <@${body.user.id}>: ${why}`, blocks: [] });
  });
}

function placeOf({ channel, message }: BlockAction): { channel: string; ts: string } {
  return { channel: channel?.id ?? '', ts: message?.ts ?? '' };
}
