import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCrewSandbox } from '../../src/sandbox/crew-service/sandbox-api/sandbox-over-http.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { PROCESS_TOKEN, type ServiceProcess, startServiceProcess } from '../sandbox/crew-service/service-process.ts';
import { until } from '../sandbox/crew-service/until.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startWorld, type World } from '../support/world.ts';

const EXAMPLE = fileURLToPath(new URL('../../src/sandbox/crew-service/examples/langgraph.ts', import.meta.url));
const REFUNDS = fileURLToPath(new URL('../sandbox/crew-service/frameworks/served-crews.ts', import.meta.url));
const CHANNEL = '#releases';

describe('crews that others have written in their frameworks', () => {
  let world: World;
  let redis: TestRedis;
  let folder: string;
  let service: ServiceProcess;
  let ports: { bot: number; service: number };
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'other-frameworks-'));
    ports = { bot: await freePort(), service: await freePort() };
    [world, redis] = await Promise.all([startWorld({ crews: [] }), startRedis({ appendOnly: true })]);
    const hosted = { token: PROCESS_TOKEN, channel: 'releases' };
    const crews = [
      ...['leaflet', 'refunds', 'langchain-refunds'].map((name) => ({
        name,
        base_url: `http://127.0.0.1:${ports.service}/crews/${name}`,
        ...hosted,
      })),
    ];
    env = { CREWS_FILE: join(folder, 'crews.yml') };
    await writeFile(env.CREWS_FILE ?? '', JSON.stringify({ crews }));
    await startService();
    await world.startBotProcess({ port: ports.bot, env });
  });
  afterAll(async () => {
    await world.stop();
    await service.kill();
    await redis.stop();
    await rm(folder, { recursive: true });
  });

  async function startService(): Promise<void> {
    const place = { env: { CREW_FOLDER: folder }, cwd: folder, port: ports.service };
    service = await startServiceProcess(redis.socketPath, [EXAMPLE, REFUNDS], place);
  }

  /** Maria starts a crew; resolves to the root of its thread. */
  async function starts(words: string): Promise<Message> {
    const maria = world.slack.as('maria');
    await maria.command(CHANNEL, '/kickoff', words);
    const [crew = ''] = words.split(' ');
    return maria.sees(CHANNEL, new RegExp(`${crew}(.|\\n)*Stop tracking…`));
  }

  async function rejects(card: Message, feedback: string): Promise<void> {
    const jon = world.slack.as('jon');
    await jon.click('Reject…', { in: card });
    await jon.fill('What should change?', feedback);
    await jon.submit();
    await jon.seesChanged(card, 'rejected');
  }

  /** Jon approves the text with one word replaced. */
  async function edits(card: Message, word: string, replacement: string): Promise<void> {
    const jon = world.slack.as('jon');
    await jon.click('Edit…', { in: card });
    await jon.seesModal('Change the text');
    const [text = ''] = await jon.chosen('Text');
    await jon.fill('Text', text.replace(word, replacement));
    await jon.submit();
    await jon.seesModal('Your edits');
    await jon.choose('What happens next', 'Approve with these edits');
    await jon.submit();
  }

  it('a graph of LangGraph is rejected, asks again, and goes on with an approval while its service was killed', async () => {
    const jon = world.slack.as('jon');
    const root = await starts('leaflet topic=tea');
    const first = await jon.seesInThread(root, 'About tea');
    await rejects(first, 'Mention oolong.');
    const second = await jon.seesInThread(root, 'Round 2');
    await jon.seesChanged(second, 'Approval needed: review');

    await service.kill();
    await jon.click('Approve', { in: second });
    await jon.seesChanged(second, 'The decision is saved');
    await startService();
    await jon.seesChanged(second, 'Sent to the crew.');
    await jon.seesInThread(root, 'Published:');
    await jon.seesChanged(root, 'Completed');
    const [run] = await connectCrewSandbox({ origin: service.origin, token: PROCESS_TOKEN }).runs();
    expect(run?.reviews.map(({ task, round, text }) => [task, round, text])).toEqual([
      ['review', 1, 'Mention oolong.'],
      ['review', 2, 'Approved.'],
    ]);
  });

  it('an agent of LangChain makes the calls that people approve and edit on its cards, while its service was killed', async () => {
    const jon = world.slack.as('jon');
    const root = await starts('langchain-refunds order=A-1');
    const first = await jon.seesInThread(root, 'Amount: 20');
    await jon.seesChanged(first, 'Approval needed: Refund');
    await jon.click('Approve', { in: first });
    const second = await jon.seesInThread(root, 'Amount: 30');
    await edits(second, '30', '"much"');
    const third = await jon.seesInThread(root, 'The answer can’t be used: amount: ');
    await jon.seesChanged(third, 'Approval needed: Refund');
    await service.kill();
    await edits(third, '30', '25');
    await startService();
    await jon.seesInThread(root, 'paid 20, paid 25');
    await jon.seesChanged(root, 'Completed');
    expect(await readFile(join(folder, 'paid-by-langchain'), 'utf8')).toBe('20\n25\n');
  });

  it('an agent’s approved call is under way when its service is killed: people say whether it is made again', async () => {
    const jon = world.slack.as('jon');
    const paid = () => readFile(join(folder, 'paid'), 'utf8').catch(() => '');
    const root = await starts('refunds order=A-1');
    await jon.click('Approve', { in: await jon.seesInThread(root, 'Amount: 20') });
    await rejects(await jon.seesInThread(root, 'Amount: 30'), 'Too much.');
    const third = await jon.seesInThread(root, 'Amount: 15');
    await jon.seesChanged(third, 'Approval needed: Refund');

    await writeFile(join(folder, 'hold-payments'), '');
    await jon.click('Approve', { in: third });
    await until('the payment', async () => (await paid()).includes('15'));
    await rm(join(folder, 'hold-payments'));
    await service.kill();
    await startService();
    const fourth = await jon.seesInThread(root, 'may have been made already');
    expect(await paid()).toBe('A-1: 20\nA-1: 15\n');
    await rejects(fourth, 'It was paid.');
    await jon.seesInThread(root, 'paid 20, Too much., It was paid.');
    await jon.seesChanged(root, 'Completed');
    expect(await paid()).toBe('A-1: 20\nA-1: 15\n');
  });
});
