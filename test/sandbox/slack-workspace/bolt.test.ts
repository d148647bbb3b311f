import { App, LogLevel } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { startSlackWorkspace } from '../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { freePort } from '../../../src/setup/free-port.ts';

type Mode = 'http' | 'socket';

const TOPIC = {
  type: 'input',
  block_id: 'topic',
  label: { type: 'plain_text', text: 'Topic' },
  element: { type: 'plain_text_input', action_id: 'topic' },
} as const;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A workspace and an unmodified Bolt app in it. */
async function boltIn(mode: Mode) {
  const slack = await startSlackWorkspace({
    app: {
      shortcuts: [{ type: 'message', callbackId: 'about', name: 'About this', description: '' }],
      ...(mode === 'socket' && { delivery: { mode: 'socket' } }),
    },
  });
  closing.push(() => slack.close());
  const app = new App({
    token: slack.botToken,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
    ...(mode === 'socket' ? { socketMode: true, appToken: slack.appToken } : { signingSecret: slack.signingSecret }),
  });
  const start = async () => {
    const port = mode === 'http' ? await freePort() : 0;
    await app.start(port);
    closing.push(() => app.stop());
    if (mode === 'http') slack.installAt(`http://127.0.0.1:${port}/slack/events`);
  };
  return { slack, app, start };
}

describe.each<Mode>(['http', 'socket'])('an unmodified Bolt app over %s', (mode) => {
  it('plays a command, a modal, a message with buttons, a thread and the home tab', async () => {
    const { slack, app, start } = await boltIn(mode);
    app.command('/kickoff', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({
        trigger_id: body.trigger_id,
        view: {
          type: 'modal',
          callback_id: 'inputs',
          private_metadata: body.channel_id,
          title: { type: 'plain_text', text: 'Start a crew' },
          submit: { type: 'plain_text', text: 'Start' },
          blocks: [TOPIC],
        },
      });
    });
    app.view('inputs', async ({ ack, view, client }) => {
      const topic = view.state.values.topic?.topic?.value ?? '';
      if (topic === 'bad') {
        await ack({ response_action: 'errors', errors: { topic: 'Choose another topic.' } });
        return;
      }
      await ack();
      await client.chat.postMessage({
        channel: view.private_metadata,
        text: `Approve ${topic}?`,
        blocks: [
          { type: 'section', text: { type: 'mrkdwn', text: `Approve ${topic}?` } },
          {
            type: 'actions',
            elements: [
              { type: 'button', action_id: 'approve', text: { type: 'plain_text', text: 'Approve' }, value: 'one' },
            ],
          },
        ],
      });
    });
    app.action('approve', async ({ ack, body, client, respond }) => {
      await ack();
      if (body.type !== 'block_actions' || !body.message || !body.channel) throw new Error('no message in the payload');
      await client.chat.update({
        channel: body.channel.id,
        ts: body.message.ts,
        text: `Approved by <@${body.user.id}>`,
      });
      await client.chat.postMessage({ channel: body.channel.id, thread_ts: body.message.ts, text: 'Done.' });
      await respond({ text: 'Thank you.', response_type: 'ephemeral', replace_original: false });
    });
    app.shortcut('about', async ({ ack, shortcut, client }) => {
      await ack();
      await client.views.open({
        trigger_id: shortcut.trigger_id,
        view: { type: 'modal', title: { type: 'plain_text', text: 'About' }, blocks: [{ type: 'divider' }] },
      });
    });
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({
        user_id: event.user,
        view: {
          type: 'home',
          blocks: [{ type: 'header', text: { type: 'plain_text', text: 'Nothing waits for you' } }],
        },
      });
    });
    await start();

    const maria = slack.as('maria');
    await maria.command('#general', '/kickoff', 'research');
    await maria.seesModal('Start a crew');
    await expect(maria.submit()).rejects.toMatchObject({ problem: { code: 'invalid_input' } });
    await maria.fill('Topic', 'bad');
    await expect(maria.submit()).rejects.toMatchObject({ problem: { at: 'inputs', text: 'Choose another topic.' } });
    await maria.fill('Topic', 'AI');
    await maria.submit();
    await maria.seesNoModal();
    const jon = slack.as('jon');
    const card = await jon.sees('#general', 'Approve AI?');
    await jon.click('Approve', { in: card });
    await maria.seesChanged(card, 'Approved by <@UJON00002>');
    await maria.seesInThread(card, 'Done.');
    await jon.seesPrivately('#general', 'Thank you.');
    expect(await maria.privately('#general')).toEqual([]);
    await maria.messageShortcut('About this', card);
    await maria.seesModal('About');
    await maria.closeModal();
    await maria.openHome();
    await maria.seesHome('Nothing waits for you');
    expect(slack.calls().filter((call) => call.outcome !== 'ok')).toEqual([]);
  });
});
