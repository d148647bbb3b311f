import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/crew/credentials.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { installedApp } from '../support/installed-app.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

const CHANNEL = '#releases';
const STRICT = { channel: 'releases', approval: { self_approval: false } };

/** Asks for human input as a run of this crew does that was started through the API. */
async function asksFromElsewhere(port: number, crew: string, id: string): Promise<{ status: number; text: string }> {
  const authentication = createCredentials([TEST_SECRET]).ofCrew(crew, 'bearer');
  const token = authentication.strategy === 'bearer' ? authentication.token : '';
  const answer = await fetch(`http://127.0.0.1:${port}/webhooks/crews/${crew}/human-input`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ kickoff_id: `K-${id}`, execution_id: id, task_id: 't1', task_output: `Draft of ${id}` }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('whoever starts a run elsewhere approves it themselves, where starters may not', () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    const asked = { channel: 'releases', approval: { self_approval: true } };
    world = await startWorld({
      crews: [
        { name: 'strict', settings: STRICT },
        { name: 'lax', settings: asked },
      ],
    });
    ({ port } = await world.startBot());
  });
  afterAll(() => world.stop());

  it('and no card says that this is possible', async () => {
    const maria = world.slack.as('maria');
    await asksFromElsewhere(port, 'strict', 'E1');
    const card = visibleText(await maria.sees(CHANNEL, /Approval needed\nstrict(.|\n)*Draft of E1/));
    expect(card).toContain('including the person who started the run');
    await asksFromElsewhere(port, 'lax', 'E2');
    const lax = visibleText(await maria.sees(CHANNEL, /Approval needed\nlax(.|\n)*Draft of E2/));
    expect(lax).not.toContain('whoever started the run');
    await maria.command(CHANNEL, '/kickoff', 'strict topic=tea');
    expect(visibleText(await maria.sees(CHANNEL, /Approval needed\nstrict · tea/))).not.toContain('outside Slack');
  });

  it('and who asks for the rules isn’t told', async () => {
    const jon = world.slack.as('jon');
    await jon.command(CHANNEL, '/kickoff', 'who strict');
    const { text } = await privateAnswerTo(jon, CHANNEL, '*Starting strict*');
    expect(text).toContain('Who started a run outside Slack isn’t known, so they can decide it, too.');
  });
});

describe('a crew that says who starts its runs elsewhere, or refuses them', () => {
  let world: World;
  let port: number;
  beforeAll(async () => {
    world = await startWorld({
      scopes: installedApp(['users:read.email']).scopes,
      crews: [
        {
          name: 'known',
          settings: { ...STRICT, started_elsewhere: ['UMARIA001', 'JON@sandbox.example'] },
        },
        { name: 'gone', settings: { ...STRICT, started_elsewhere: ['left-long-ago@sandbox.example'] } },
        { name: 'closed', settings: { ...STRICT, started_elsewhere: 'refuse' } },
      ],
    });
    ({ port } = await world.startBot());
  });
  afterAll(() => world.stop());

  it.each(['maria', 'jon'])('%s starts a run elsewhere, and approves it', async (name) => {
    const starter = world.slack.as(name);
    await asksFromElsewhere(port, 'known', `of-${name}`);
    const card = await starter.sees(CHANNEL, new RegExp(`Approval needed\\nknown(.|\\n)*Draft of of-${name}`));
    expect(visibleText(card)).toContain('not Maria Alvarez and Jon Bell, who may have started it');
    await starter.click('Approve', { in: card });
    await privateAnswerTo(starter, CHANNEL, 'This run counts as started by you');
    await starter.closeModal().catch(() => {});
    const aiko = world.slack.as('aiko');
    await aiko.click('Approve', { in: card });
    await aiko.seesChanged(card, 'Aiko Tanaka approved');
  });

  it('whose address nobody has any more may be anybody: nobody approves it', async () => {
    const aiko = world.slack.as('aiko');
    await asksFromElsewhere(port, 'gone', 'E3');
    const card = await aiko.sees(CHANNEL, /Approval needed\ngone(.|\n)*Draft of E3/);
    await aiko.click('Approve', { in: card });
    await privateAnswerTo(aiko, CHANNEL, 'counts as started by left-long-ago@sandbox.example, and Slack can’t say who');
    await aiko.closeModal().catch(() => {});
  });

  it('which refuses them: its channel sees nothing of a run that isn’t ours', async () => {
    const answer = await asksFromElsewhere(port, 'closed', 'E4');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('refuse executions that were started elsewhere');
    expect((await scrape(port)).get('signoff_elsewhere_refused_total{crew="closed"}')).toBe(1);
    const messages = JSON.stringify(world.slack.messages());
    expect(messages).not.toContain('Draft of E4');
  });

  it('which refuses them: a run of another place hides behind a start of ours that isn’t answered yet', async () => {
    const maria = world.slack.as('maria');
    const { sandbox } = world.crews;
    await sandbox.shutGate('answers');
    await sandbox.addFault({ crew: 'closed', route: 'kickoff', gate: 'answers' });
    await maria.command(CHANNEL, '/kickoff', 'closed topic=tea');
    await expect.poll(async () => (await sandbox.requests()).some(({ route }) => route === 'kickoff')).toBe(true);
    expect((await asksFromElsewhere(port, 'closed', 'E5')).status).toBe(200);
    await sandbox.openGate('answers');
    await maria.sees(CHANNEL, 'Approval needed');
    await expect.poll(async () => (await asksFromElsewhere(port, 'closed', 'E5')).status).toBe(403);
    expect(JSON.stringify(world.slack.messages())).not.toContain('Draft of E5');
  });
});
