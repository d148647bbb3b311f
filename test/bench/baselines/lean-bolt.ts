import { App, type BlockAction, type ButtonAction } from '@slack/bolt';
import { decidedCard } from './decided-card.ts';
import { announce, readEnvironment } from './environment.ts';
import { LeanReceiver } from './lean-receiver.ts';
import { createOutbox } from './outbox.ts';
import { tellCrew } from './tell-crew.ts';

// Bolt without what a click doesn't need, and a decision that is in Redis before its ack.
const { port, signingSecret, token, slackApiUrl, crewUrl, redisUrl, work } = readEnvironment(process.env);

const outbox = await createOutbox(redisUrl);
const authorization = { botToken: token, botId: 'B0SIGNOFF', botUserId: 'U0SIGNOFF', teamId: 'T0SANDBOX1' };
const app = new App({
  receiver: new LeanReceiver(signingSecret),
  authorize: async () => authorization,
  ...{ convoStore: false, ignoreSelf: false, clientOptions: { slackApiUrl } },
});

app.action<BlockAction<ButtonAction>>(/./, async ({ ack, body, action, client }) => {
  const id = action.value ?? '';
  const isFirst = await outbox.claim(id, body.user.id);
  await ack();
  if (!isFirst || work === 'ack') return;
  await tellCrew(crewUrl, id);
  await client.chat.update(decidedCard({ body, action }));
  await outbox.done(id);
});

await app.start(port);
announce();
