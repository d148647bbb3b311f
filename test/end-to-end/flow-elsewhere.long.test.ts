import { afterAll, beforeAll, it } from 'vitest';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { FLOW_SECRET, printingFlow } from '../support/flow-feedback.ts';
import { startWorld, type World } from '../support/world.ts';

/** Half a minute, and a poll more. */
const PATIENCE = { withinMs: 120_000 };

let world: World;
const { flow, release } = printingFlow('printing');
beforeAll(async () => {
  world = await startWorld({ flows: [{ flow }] });
  const { port } = await world.startBot();
  const url = `http://127.0.0.1:${port}/webhooks/crews/printing/flow`;
  await world.crews.sandbox.setDashboard({ url, secret: FLOW_SECRET });
});
afterAll(() => world.stop());

it('a flow that works on although its request is open was answered in its control panel, and its card says so', async () => {
  const { sandbox } = world.crews;
  const [maria, jon] = [world.slack.as('maria'), world.slack.as('jon')];
  await maria.command('#releases', '/kickoff', 'printing topic=tea highlights=hot');
  const card = await jon.sees('#releases', 'Is this ready?');
  const request = await eventually(
    async () => (await sandbox.feedbackRequests())[0],
    () => jon.screen(),
  );
  await sandbox.answerInDashboard(request.id, 'Go ahead.');
  await jon.seesChanged(card, 'It was answered outside Slack before anybody decided here.', PATIENCE);
  release();
  await jon.sees('#releases', 'printing: Completed');
});
