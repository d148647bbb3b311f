import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { freePort } from '../../src/setup/free-port.ts';
import type { BotProcess } from '../support/bot-process.ts';
import type { Fixture } from '../support/fixture.ts';
import { DIALECT, startWorld, type World, type WorldOptions } from '../support/world.ts';

/** The bot runs as an operator runs it, and its power is cut while each of the stories is at its worst moment. */
const SERVICES: WorldOptions[] = [{ dialect: DIALECT }, { dialect: 'flows', platform: 'amp' }];

describe.concurrent.each(SERVICES)('a bot of crews of $dialect that dies and is started again', (service) => {
  /** A crew that takes another dialect of resumes refuses the first. */
  const refused = service.dialect === 'spec' ? 0 : 1;
  let world: World;
  let clicked: Fixture;
  let sending: Fixture;
  let starting: Fixture;
  let kept: Awaited<ReturnType<Fixture['card']>>;
  let inFlight: Awaited<ReturnType<Fixture['card']>>;

  beforeAll(async () => {
    world = await startWorld({ ...service, fixtures: 3 });
    clicked = await world.fixture();
    sending = await world.fixture();
    starting = await world.fixture();
    const port = await freePort();
    const bot: BotProcess = await world.startBotProcess({ port });

    // The crew holds the answers to a resume and to a kickoff.
    await world.crews.sandbox.shutGate('answers');
    await sending.start();
    inFlight = await sending.card();
    await sending.addFault({ route: 'resume', skip: refused, gate: 'answers' });
    await sending.jon.click('Approve', { in: inFlight });
    await sending.asked('resume', 1 + refused);
    await starting.addFault({ route: 'kickoff', gate: 'answers' });
    await starting.types();
    await starting.asked('kickoff', 1);

    // Acknowledged, but the crew can't take it yet; the last one, since it is tried again each second.
    await clicked.addFault({ route: 'resume', respond: { status: 503, headers: { 'retry-after': '1' } }, times: 100 });
    await clicked.start();
    kept = await clicked.card();
    await clicked.jon.click('Approve', { in: kept });
    await clicked.jon.seesChanged(kept, 'The decision is saved');

    await bot.kill();
    await world.crews.sandbox.clearFaults();
    await world.startBotProcess({ port });
    await world.crews.sandbox.openGate('answers');
  });
  afterAll(() => world.stop());

  it('delivers the decision that it had acknowledged, once', async () => {
    const run = await clicked.run('is completed', ({ status }) => status === 'completed');
    expect(run.reviews.map(({ text }) => text)).toEqual(['Approved.']);
    await clicked.jon.seesChanged(kept, 'Sent to the crew.');
    const taken = (await clicked.requests('resume')).filter(
      ({ answer }) => typeof answer === 'object' && answer.status === 200,
    );
    expect(taken).toHaveLength(1);
    await clicked.maria.seesInThread(await clicked.root(), 'Finished.');
  });

  it('never sends a resume again whose answer died with it, and believes what the crew does next', async () => {
    await sending.maria.seesInThread(await sending.root(), 'Finished.');
    await sending.jon.seesChanged(inFlight, 'Sent to the crew.');
    const run = await sending.run('is completed', ({ status }) => status === 'completed');
    expect(run.reviews).toHaveLength(1);
    expect(await sending.requests('resume')).toHaveLength(1 + refused);
  });

  it('never repeats a kickoff whose answer died with it, and follows the run that tells of itself', async () => {
    const request = await starting.card();
    await starting.approve(request);
    const root = await starting.root();
    await starting.maria.seesInThread(root, 'Finished.');
    expect(await starting.runs()).toHaveLength(1 + refused);
    expect(await starting.requests('kickoff')).toHaveLength(1);
    expect(visibleText(request)).toContain('About tea.');
  });
});
