import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/crew/credentials.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let origin: string;

beforeAll(async () => {
  const sleepy = { name: 'sleepy', settings: { base_url: await crewThatWakesSlowly() } };
  world = await startWorld({ fixtures: 12, crews: [{ name: 'homeless' }, sleepy] });
  origin = `http://127.0.0.1:${(await world.startBot()).port}`;
});
afterAll(() => world.stop());

/** Takes longer to say what it needs than a command can wait, once the bot has looked whether it is there. */
async function crewThatWakesSlowly(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(500).end());
  server.once('request', () => {
    server.removeAllListeners('request');
    server.on('request', (_, response) => setTimeout(() => response.end('{"inputs":["topic"]}'), 1_500));
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Notifies the bot as a crew service does; resolves to the status of its answer. */
async function notify(url: string, body: unknown, authorization?: string): Promise<number> {
  const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  return (await fetch(url, { method: 'POST', headers, body: sent })).status;
}

/** The addresses and credentials that the kickoff gave. */
async function given({ asked }: Fixture) {
  const [kickoff] = await asked('kickoff', 1);
  const { humanInputWebhook, taskWebhookUrl, stepWebhookUrl, crewWebhookUrl } = JSON.parse(kickoff?.body ?? '{}');
  const bearer = `Bearer ${humanInputWebhook.authentication.token}`;
  return { humanInput: humanInputWebhook.url as string, bearer, taskWebhookUrl, stepWebhookUrl, crewWebhookUrl };
}

/** A fixture whose crew works until its gate is opened, so that all notifications come from the test. */
async function working() {
  const fixture = await world.fixture();
  const gate = `${fixture.crew}-works`;
  await world.crews.sandbox.shutGate(gate);
  await fixture.setTasks([{ name: 'work', output: 'Done.', hold: gate }]);
  const head = await fixture.start();
  const { kickoffId, executionId } = await fixture.run('works', () => true);
  return { ...fixture, head, kickoffId, executionId, ...(await given(fixture)) };
}

/** What everybody sees below the root. On a slow machine Maria is told before it, privately, that her run is starting. */
async function outputs({ maria, channel }: Fixture) {
  const messages = await maria.channel(channel);
  return messages.filter(({ ephemeral }) => !ephemeral).slice(1);
}

describe.concurrent('a notification', () => {
  it('of an earlier round that comes late changes nothing', async () => {
    const fixture = await world.fixture();
    const root = await fixture.start();
    const { humanInput, bearer } = await given(fixture);
    await fixture.reject(await fixture.card(), 'Shorter');
    const second = await fixture.card('Round 2');
    const [first] = await fixture.webhooks('human-input');
    expect(await notify(humanInput, first?.body ?? '', bearer)).toBe(200);
    await fixture.approve(second);
    await fixture.maria.seesInThread(root, 'Finished.');
    expect((await outputs(fixture)).map((each) => each.threadTs === root.ts)).toEqual([true, true]);
  });

  it('may come in any order', async () => {
    const fixture = await world.fixture();
    await fixture.addFault({ webhook: 'task', effect: 'swap' });
    await fixture.addFault({ webhook: 'step', effect: { delayMs: 700 }, times: 5 });
    await fixture.addFault({ webhook: 'human-input', effect: { delayMs: 300 } });
    await fixture.addFault({ webhook: 'crew', effect: { duplicates: 2 } });
    const root = await fixture.start();
    await fixture.approve(await fixture.card());
    await fixture.maria.seesInThread(root, 'Finished.');
    const ended = (await fixture.maria.thread(root)).filter((each) => visibleText(each).includes('Finished.'));
    expect(ended).toHaveLength(1);
  });
});

describe.concurrent('an execution that was started elsewhere', () => {
  const crewCredentials = (crew: string) => {
    const authentication = createCredentials([TEST_SECRET]).ofCrew(crew, 'bearer');
    return authentication.strategy === 'bearer' ? `Bearer ${authentication.token}` : '';
  };

  it('is adopted into a thread in the crew’s channel, decided there, and followed', async () => {
    const fixture = await world.fixture();
    const { crew, channel, card, jon, maria, run } = fixture;
    await startElsewhere(crew);
    const request = await card();
    const root = await maria.sees(channel, `*${crew}: Waiting for approval*`);
    expect(request.threadTs).toBe(root.ts);
    await jon.click('Reject…', { in: request });
    await jon.fill('What should change?', 'Shorter');
    await jon.submit();
    const second = await card('Round 2');
    await jon.click('Approve', { in: second });
    const result = await maria.seesInThread(root, 'Finished.');
    expect(result.notifies).toEqual([]);
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(2);
  });

  it('is one thread, however often it is told', async () => {
    const { crew, channel, jon, card, maria } = await world.fixture();
    const address = `${origin}/webhooks/crews/${crew}/human-input`;
    const body = { kickoff_id: 'K9', execution_id: 'E9', task_id: 't1', task_output: 'From elsewhere' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => notify(address, body, crewCredentials(crew))));
    expect(answers).toEqual([200, 200, 200, 200]);
    await card();
    await jon.sees(channel, 'Started outside Slack');
    expect(await maria.channel(channel)).toHaveLength(2);
  });

  it('of a crew without a channel is refused with a reason', async () => {
    const address = `${origin}/webhooks/crews/homeless/human-input`;
    const body = { execution_id: 'E9', task_id: 't1', task_output: 'From elsewhere' };
    expect(await notify(address, body, crewCredentials('homeless'))).toBe(409);
  });

  it('is merged into ours where it proves to be the run whose start was not answered yet', async () => {
    const fixture = await world.fixture();
    const gate = `${fixture.crew}-answers`;
    await world.crews.sandbox.shutGate(gate);
    await fixture.addFault({ route: 'kickoff', gate });
    await fixture.types();
    await fixture.asked('kickoff', 1);
    const body = { kickoff_id: 'unknown-yet', task_id: 't1', task_output: 'Whose is this?' };
    const address = `${origin}/webhooks/crews/${fixture.crew}/human-input`;
    expect(await notify(address, body, crewCredentials(fixture.crew))).toBe(200);
    // Not known yet, so nothing is shown; only Maria may be told that her run is starting.
    expect(await fixture.jon.channel(fixture.channel)).toEqual([]);
    const { humanInput, bearer } = await given(fixture);
    const known = { kickoff_id: 'unknown-yet', task_id: 't2', task_output: 'This one is ours' };
    expect(await notify(humanInput, known, bearer)).toBe(200);
    const root = await fixture.root();
    const merged = await fixture.maria.sees(fixture.channel, 'Whose is this?');
    expect(merged.threadTs).toBe(root.ts);
    await fixture.maria.seesInThread(root, 'This one is ours');
    expect(JSON.stringify(await fixture.maria.channel(fixture.channel))).not.toContain('Started outside Slack');
    await world.crews.sandbox.openGate(gate);
  });

  async function startElsewhere(crew: string): Promise<void> {
    const authentication = createCredentials([TEST_SECRET]).ofCrew(crew, 'bearer');
    const started = await fetch(`${world.crews.baseUrlOf(crew)}/kickoff`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-organisation', 'content-type': 'application/json' },
      body: JSON.stringify({
        inputs: { topic: 'tea' },
        humanInputWebhook: { url: `${origin}/webhooks/crews/${crew}/human-input`, authentication },
      }),
    });
    expect(started.status).toBe(200);
  }
});

describe('A bot without its Redis', () => {
  it('a notification is answered 503, and taken when it is sent again', async () => {
    const fixture = await working();
    const { humanInput, bearer, executionId, jon, channel } = fixture;
    const body = { execution_id: executionId, task_id: 't1', task_output: 'Twice is enough' };
    world.redis.pause();
    try {
      expect(await notify(humanInput, body, bearer)).toBe(503);
      expect((await fetch(`${origin}/readyz`)).status).toBe(503);
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    } finally {
      world.redis.resume();
    }
    expect(await notify(humanInput, body, bearer)).toBe(200);
    await jon.sees(channel, 'Twice is enough');
  });

  it('a click is not acknowledged as done, and counts when it is made again', async () => {
    const output = 'More than a card shows. '.repeat(900);
    const fixture = await world.fixture([{ name: 'draft', humanInput: true, output }]);
    await fixture.start();
    const request = await fixture.card();
    const root = await fixture.root();
    world.redis.pause();
    try {
      const clicks = [
        fixture.jon.click('Approve', { in: request }),
        fixture.maria.click('Reject…', { in: request }),
        fixture.maria.click('Approve with note…', { in: request }),
        fixture.maria.click('Review', { in: request }),
        fixture.maria.click('Activity', { in: root }),
      ];
      for (const click of await Promise.allSettled(clicks))
        expect(click).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('app_error') } });
    } finally {
      world.redis.resume();
    }
    await fixture.jon.click('Approve', { in: request });
    await fixture.jon.seesChanged(request, 'Sent to the crew.');
    expect((await fixture.run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
  });

  it('a typed start is not acknowledged either, starts nothing, and works when it is typed again', async () => {
    const { maria, channel, crew, requests, card } = await world.fixture();
    world.redis.pause();
    try {
      await expect(maria.command(channel, '/kickoff', `${crew} topic=tea`)).rejects.toThrow();
    } finally {
      world.redis.resume();
    }
    expect(await requests('kickoff')).toEqual([]);
    await maria.command(channel, '/kickoff', `${crew} topic=tea`);
    await card();
    expect(await requests('kickoff')).toHaveLength(1);
  });

  it('a typed start that was acknowledged for a slow crew says so in its window', async () => {
    const { maria, channel } = await world.fixture();
    await maria.command(channel, '/kickoff', 'sleepy topic=tea');
    await maria.seesModal('what it needs…');
    world.redis.pause();
    try {
      await maria.seesModal('can’t store anything right now');
    } finally {
      world.redis.resume();
    }
  });
});
