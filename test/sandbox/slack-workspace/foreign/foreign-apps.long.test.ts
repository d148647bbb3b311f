import { expect, it, onTestFailed, onTestFinished } from 'vitest';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import {
  type SlackWorkspace,
  startSlackWorkspace,
} from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import { freePort } from '../../../../src/setup/free-port.ts';
import { BOLT_FOR_JAVA, BOLT_FOR_PYTHON, CHAT_SDK, type ForeignApp, SLACK_GO, startForeignApp } from './foreign-app.ts';

type Mode = 'http' | 'socket';

/** A workspace, and one of the apps in it, which share nothing but this conversation. */
async function workspaceWith(app: ForeignApp, mode: Mode) {
  const port = await freePort();
  const requestUrl = `http://127.0.0.1:${port}/slack/events`;
  const slack = await startSlackWorkspace({
    app: {
      commands: [{ command: '/deploy', description: 'Asks whether something may be deployed', usageHint: '[what]' }],
      scopes: [...DEFAULT_APP.scopes, 'channels:history', 'reactions:write'],
      delivery: mode === 'http' ? { mode, requestUrl } : { mode },
    },
  });
  onTestFinished(() => slack.close());
  const running = await startForeignApp(app, {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    PORT: String(port),
  });
  onTestFinished(() => running.stop());
  onTestFailed(() => console.error(running.printed(), failedCalls(slack)));
  const isConnected = async () => (mode === 'http' ? slack.verifyRequestUrl() : slack.sockets.connections() > 0);
  await running.becomes(isConnected);
  return slack;
}

it.each<[string, ForeignApp, Mode]>([
  ['Bolt for Python over Socket Mode', BOLT_FOR_PYTHON, 'socket'],
  ['Bolt for Python over HTTP', { ...BOLT_FOR_PYTHON, command: [...BOLT_FOR_PYTHON.command, '--http'] }, 'http'],
  ['Bolt for Java over Socket Mode', BOLT_FOR_JAVA, 'socket'],
  ['slack-go over Socket Mode', SLACK_GO, 'socket'],
  ['the Chat SDK over HTTP', CHAT_SDK, 'http'],
])('A person can start, decide and read a result with an app written with %s', async (_, app, mode) => {
  const slack = await workspaceWith(app, mode);
  const maria = slack.as('maria');
  const jon = slack.as('jon');

  // A command posts a message with buttons. A click changes it, and adds a reply.
  await maria.command('#general', '/deploy', 'checkout');
  const card = await jon.sees('#general', 'Deploy checkout?');
  await jon.click('Approve', { in: card });
  const approved = await maria.seesChanged(card, /checkout was approved by <@UJON00002>/);
  expect(JSON.stringify(approved.blocks)).not.toContain('Reject');
  const reply = await maria.seesInThread(card, 'How did it go?');

  // A click in the thread opens a modal, which says what is wrong with its input, and closes when the app takes it.
  await jon.click('Report', { in: reply });
  await jon.seesModal('Result');
  await jon.fill('Result', 'Fine.');
  await expect(jon.submit()).rejects.toMatchObject({ problem: { text: 'Write a whole sentence.' } });
  await jon.fill('Result', 'It went well: “größer” ✓');
  await jon.submit();
  await jon.seesNoModal();

  // The app uploads a file into the thread, and reacts to the message.
  const upload = await maria.seesInThread(card, 'report.txt');
  expect((await maria.download(upload, 'report.txt')).toString()).toBe('It went well: “größer” ✓');

  await expect
    .poll(async () => (await maria.now(card))?.reactions)
    .toEqual([{ name: 'white_check_mark', userIds: [DEFAULT_APP.botUserId] }]);

  // The other choice, which most of the apps make visible through the response URL.
  await maria.command('#general', '/deploy', 'search');
  const other = await jon.sees('#general', 'Deploy search?');
  await jon.click('Reject', { in: other });
  await maria.seesChanged(other, /search was rejected by <@UJON00002>/);

  // Home lists what was decided.
  await maria.openHome();
  const home = JSON.stringify(await maria.seesHome('search was rejected'));
  expect(home).toContain('checkout was approved');

  expect(failedCalls(slack)).toEqual([]);
});

const failedCalls = (slack: SlackWorkspace) =>
  slack
    .calls()
    .filter(({ name, outcome, status = 200 }) => name !== 'url_verification' && (outcome !== 'ok' || status >= 400));
