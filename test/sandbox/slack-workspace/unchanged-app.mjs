// @ts-nocheck – An app as one writes it for Slack: it names no other address.
import https from 'node:https';
import bolt from '@slack/bolt';
import { request } from 'undici';

const { SLACK_BOT_TOKEN: token, SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret, PORT } = process.env;
const app = new bolt.App(
  PORT === undefined ? { token, appToken, socketMode: true } : { token, signingSecret, logLevel: bolt.LogLevel.DEBUG },
);
const METHOD = 'https://slack.com/api/auth.test';
const headers = { authorization: `Bearer ${token}` };

/** How programs for Node.js call Slack without its SDK. */
const CALLS = {
  'built-in fetch': async () => (await fetch(METHOD, { method: 'POST', headers })).json(),
  undici: async () => (await request(METHOD, { method: 'POST', headers })).body.json(),
  https: () =>
    new Promise((resolve, reject) => {
      const sent = https.request(
        METHOD,
        { method: 'POST', headers, agent: new https.Agent({ keepAlive: true }) },
        async (response) => {
          let text = '';
          for await (const part of response) text += part;
          resolve(JSON.parse(text));
        },
      );
      sent.once('error', reject).end();
    }),
};

app.command('/tea', async ({ ack, client, command }) => {
  await ack();
  const { user } = await client.auth.test();
  await client.chat.postMessage({ channel: command.channel_id, text: `Tea from ${user}.` });
  for (const [name, call] of Object.entries(CALLS)) {
    const { team } = await call();
    await client.chat.postMessage({ channel: command.channel_id, text: `${name}: ${team}` });
  }
});
app.command('/finish', async ({ ack }) => {
  await ack();
  process.exit(7);
});
process.once('SIGTERM', () => {
  console.log('The app was told to end.');
  setTimeout(() => process.exit(9), 50);
});
await app.start(PORT);
