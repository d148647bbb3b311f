import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentReviewFlow } from '../../src/sandbox/crew-service/crews/content-review.ts';
import type { FeedbackSummary } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { readableLog } from '../crew/crew-values.ts';
import type { BotProcess } from '../support/bot-process.ts';
import { FLOW_SECRET, printingFlow } from '../support/flow-feedback.ts';
import { installedApp } from '../support/installed-app.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { CREW_TOKEN, startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
const FLOW = 'content-review';
const flow = contentReviewFlow();
const rules = { approval: { approving: ['approved'] } };

const dashboardAt = (port: number, more: { shape?: 'flat' | 'nested'; assignedTo?: string } = {}) => ({
  url: `http://127.0.0.1:${port}/webhooks/crews/${FLOW}/flow`,
  secret: FLOW_SECRET,
  ...more,
});

/** What flows of this world have asked, once that is so. */
function asked(
  { crews }: World,
  isSo: (all: readonly FeedbackSummary[]) => boolean,
): Promise<readonly FeedbackSummary[]> {
  return eventually(
    async () => {
      const all = await crews.sandbox.feedbackRequests();
      return isSo(all) ? all : undefined;
    },
    async () => JSON.stringify(await crews.sandbox.feedbackRequests(), null, 2),
  );
}

/** Maria starts the flow; resolves to the root of its thread. */
async function starts({ slack }: World, topic: string): Promise<Message> {
  const maria = slack.as('maria');
  await maria.command(CHANNEL, '/kickoff', `${FLOW} topic=${topic} highlights=It-is-hot`);
  return maria.sees(
    CHANNEL,
    new RegExp(`Stop tracking…(.|\\n)*topic:\\* ${topic}|topic:\\* ${topic}(.|\\n)*Stop tracking…`),
  );
}

const respondsIn = async ({ crews }: World) =>
  (await crews.sandbox.requests()).filter(({ route }) => route === 'respond');

/** Jon asks for another version. */
async function asksForRevision(world: World, card: Message, feedback: string): Promise<void> {
  const jon = world.slack.as('jon');
  await jon.click('needs_revision…', { in: card });
  await jon.fill('What should change?', feedback);
  await jon.submit();
}

describe('a flow that asks for feedback, while the bot is killed', () => {
  let world: World;
  let bot: BotProcess;
  let port: number;
  beforeAll(async () => {
    world = await startWorld({ flows: [{ flow, settings: rules }] });
    port = await freePort();
    bot = await world.startBotProcess({ port });
    await world.crews.sandbox.setDashboard(dashboardAt(port));
  });
  afterAll(() => world.stop());

  it('gets each answer once: revised, revised again, then approved', async () => {
    const { sandbox } = world.crews;
    const jon = world.slack.as('jon');
    const root = await starts(world, 'Tea');
    const first = await jon.seesInThread(root, 'Answer needed');
    expect(visibleText(first)).toContain('Is this announcement ready to be published?');
    expect(visibleText(first)).toMatch(/\[approved\]\n.*\[rejected…\]\n.*\[needs_revision…\]/);

    // Killed after the click: the flow can't take the answer before.
    await sandbox.addFault({
      route: 'respond',
      respond: { status: 503, headers: { 'retry-after': '1' } },
      times: 1_000,
    });
    await asksForRevision(world, first, 'title: Green tea');
    await jon.seesChanged(first, 'The decision is saved');
    await bot.kill();
    await sandbox.clearFaults();
    bot = await world.startBotProcess({ port });
    const second = await jon.seesInThread(root, 'Round 2');
    expect(visibleText(second)).toContain('# Green tea');
    await jon.seesChanged(first, 'Jon Bell chose “needs_revision”');

    // Killed between its claim and the answer of the flow, which takes effect afterwards.
    await sandbox.shutGate('answers');
    await sandbox.addFault({ route: 'respond', gate: 'answers' });
    const before = (await respondsIn(world)).length;
    await asksForRevision(world, second, 'title: Black tea');
    await eventually(
      async () => (await respondsIn(world)).length > before || undefined,
      async () => 'nothing was sent',
    );
    await bot.kill();
    bot = await world.startBotProcess({ port });
    await sandbox.openGate('answers');
    const third = await jon.seesInThread(root, 'Round 3');
    expect(visibleText(third)).toContain('Black tea');
    await jon.seesChanged(second, 'Sent to the crew.');

    await jon.click('approved', { in: third });
    await jon.seesChanged(third, 'Jon Bell chose “approved”');
    await jon.seesInThread(root, 'Finished.');
    const all = await asked(world, (found) => found.every(({ answer }) => answer !== null));
    expect(all.map(({ answer }) => [answer?.via, answer?.source, answer?.outcome])).toEqual([
      ['callback', 'signoff', 'needs_revision'],
      ['callback', 'signoff', 'needs_revision'],
      ['callback', 'signoff', 'approved'],
    ]);
    expect(all[0]?.answer?.feedback).toBe('needs_revision\n\ntitle: Green tea');
    const sent = await respondsIn(world);
    const timesSent = (what: string, isTaken = false) =>
      sent.filter(
        ({ body, answer }) =>
          body.includes(what) && (!isTaken || (typeof answer === 'object' && answer.status === 200)),
      ).length;
    expect([timesSent('Green tea', true), timesSent('Black tea'), timesSent('approved')]).toEqual([1, 1, 1]);
    expect((await sandbox.requests()).some(({ route }) => route === 'resume')).toBe(false);
  });
});

describe('a flow that asks for feedback', () => {
  let world: World;
  let port: number;
  const { log, text: logged } = readableLog();
  beforeAll(async () => {
    world = await startWorld({ flows: [{ flow, settings: rules }] });
    ({ port } = await world.startBot({ log }));
    await world.crews.sandbox.setDashboard(dashboardAt(port, { shape: 'nested' }));
  });
  afterAll(() => world.stop());

  it('and is answered in its own control panel first takes no second answer', async () => {
    const jon = world.slack.as('jon');
    const root = await starts(world, 'Cocoa');
    const card = await jon.seesInThread(root, 'Answer needed');
    const [request] = (await asked(world, (all) => all.length > 0)).slice(-1);
    await world.crews.sandbox.answerInDashboard(request?.id ?? '', 'needs_revision: title: Hot cocoa');
    await jon.seesInThread(root, 'Round 2');
    await jon.seesChanged(card, 'The crew asked again before anybody decided.');
  });

  it('says on its card that a decision came too late', async () => {
    const jon = world.slack.as('jon');
    const { sandbox } = world.crews;
    const root = await starts(world, 'Mate');
    const card = await jon.seesInThread(root, 'Answer needed');
    const [request] = (await asked(world, (all) => all.length > 0)).slice(-1);
    await sandbox.addFault({ route: 'status', respond: { status: 500 }, times: 1_000 });
    await sandbox.answerInDashboard(request?.id ?? '', 'rejected');
    await jon.click('approved', { in: card });
    await jon.seesChanged(
      card,
      /It was answered outside Slack before Jon Bell’s decision arrived, which has no effect/,
    );
    await sandbox.clearFaults();
    expect((await asked(world, () => true)).find(({ id }) => id === request?.id)?.answer).toMatchObject({
      via: 'dashboard',
    });
  });

  it('whose notification gets lost is said to wait', async () => {
    const jon = world.slack.as('jon');
    await world.crews.sandbox.addFault({ webhook: 'human-feedback', effect: 'drop' });
    const root = await starts(world, 'Juice');
    await jon.seesChanged(root, 'its request didn’t reach Signoff');
  });

  it('and was started elsewhere gets a thread of its own', async () => {
    const jon = world.slack.as('jon');
    await fetch(`${world.crews.baseUrlOf(FLOW)}/kickoff`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${CREW_TOKEN}` },
      body: JSON.stringify({ inputs: { topic: 'Water', highlights: 'It is wet' } }),
    });
    const card = await jon.sees(CHANNEL, /Answer needed: write(.|\n)*Water is here/);
    await jon.click('approved', { in: card });
    await jon.seesChanged(card, 'Jon Bell chose “approved”');
    await jon.sees(CHANNEL, /content-review: Completed\* · Water/);
  });

  it('has its secrets nowhere in the log', () => {
    expect(logged()).toContain('"shape":"nested","header":"x-signature","key":"whole"');
    expect(logged()).not.toContain(FLOW_SECRET);
    expect(logged()).not.toMatch(/respond\?token=\w/);
  });
});

describe('a flow whose answer nobody confirms', () => {
  let world: World;
  const printing = printingFlow(FLOW);
  beforeAll(async () => {
    world = await startWorld({ flows: [{ flow: printing.flow }] });
    const { port } = await world.startBot();
    await world.crews.sandbox.setDashboard(dashboardAt(port));
  });
  afterAll(() => world.stop());

  it('shows by its status that it has got it, and is answered once', async () => {
    const jon = world.slack.as('jon');
    await world.crews.sandbox.addFault({ route: 'respond', respond: { status: 502 }, apply: true });
    const root = await starts(world, 'Tea');
    const card = await jon.seesInThread(root, 'Approval needed');
    await jon.click('Approve', { in: card });
    await jon.seesChanged(card, 'Sent to the crew.');
    expect(await respondsIn(world)).toHaveLength(1);
    printing.release();
    await jon.seesInThread(root, 'Finished.');
  });
});

describe('a flow that says whom it asks', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({
      scopes: installedApp(['users:read.email']).scopes,
      flows: [{ flow, settings: { approval: { approvers: ['input:assigned_to_email'] } } }],
    });
    const { port } = await world.startBot();
    await world.crews.sandbox.setDashboard(dashboardAt(port, { assignedTo: 'jon@sandbox.example' }));
  });
  afterAll(() => world.stop());

  it('is answered by them, and by nobody else', async () => {
    const [jon, aiko] = [world.slack.as('jon'), world.slack.as('aiko')];
    const root = await starts(world, 'Tea');
    const card = await jon.seesInThread(root, 'Answer needed');
    await aiko.click('approved', { in: card });
    await privateAnswerTo(aiko, CHANNEL, 'You aren’t allowed to decide this.');
    await aiko.closeModal();
    await jon.click('approved', { in: card });
    await jon.seesChanged(card, 'Jon Bell chose “approved”');
  });
});

describe('a flow whose answers may not be sent', () => {
  it('is told to the channel of its crew, since it waits', async () => {
    const world = await startWorld({ flows: [{ flow, settings: { callback_hosts: ['app.crewai.com'] } }] });
    try {
      const { port } = await world.startBot();
      await world.crews.sandbox.setDashboard(dashboardAt(port));
      const maria = world.slack.as('maria');
      await starts(world, 'Tea');
      const told = visibleText(
        await maria.sees(CHANNEL, 'content-review* waits for an answer that can’t be given here'),
      );
      expect(told).toContain(new URL(world.crews.origin).host);
      expect(told).toContain('callback_hosts');
    } finally {
      await world.stop();
    }
  });
});
