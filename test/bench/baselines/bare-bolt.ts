import { App, type BlockAction, type ButtonAction } from '@slack/bolt';
import { decidedCard } from './decided-card.ts';
import { announce, readEnvironment } from './environment.ts';
import { tellCrew } from './tell-crew.ts';

// Bolt as its documentation starts it (https://docs.slack.dev/tools/bolt-js/getting-started), storing nothing.
const { port, signingSecret, token, slackApiUrl, crewUrl, work } = readEnvironment(process.env);

const app = new App({ token, signingSecret, clientOptions: { slackApiUrl } });

app.action<BlockAction<ButtonAction>>(/./, async ({ ack, body, action, client }) => {
  await ack();
  if (work === 'ack') return;
  await tellCrew(crewUrl, action.value ?? '');
  await client.chat.update(decidedCard({ body, action }));
});

await app.start(port);
announce();
