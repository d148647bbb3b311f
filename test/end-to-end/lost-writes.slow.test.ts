import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { audit } from '../support/audit-program.ts';
import { backUp, restore } from '../support/backup.ts';
import { collectLog } from '../support/collected-log.ts';
import type { Fixture } from '../support/fixture.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

/** Redis goes back to what it had before, under bots that go on. */
async function loseSince(world: World, happens: () => Promise<void>): Promise<void> {
  const redis = new Redis(world.redis.socketPath);
  try {
    const backup = await backUp(redis);
    await happens();
    await restore(redis, backup);
  } finally {
    redis.disconnect();
  }
}

async function textOf({ jon }: Fixture, card: Message): Promise<string> {
  const now = await jon.now(card);
  return now ? visibleText(now) : 'there is no card';
}

/** How often each decision was sent that the ledger calls lost, once it has all of it, and can be verified. */
async function exportedLosses(world: World): Promise<number[]> {
  // The others have sealed nothing yet.
  const sealing = await world.startBot({ sealEveryMs: 200 });
  const folder = await mkdtemp(join(tmpdir(), 'signoff-lost-'));
  const file = join(folder, 'audit.jsonl');
  try {
    return await vi.waitFor(async () => {
      const { out } = await audit(['export'], { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });
      const entries = [...out.matchAll(/"facts":(\{[^{}]*\})[^\n]*"kind":"lost"/g)];
      expect(entries).not.toEqual([]);
      expect(out).toContain('"kind":"confirmed"');
      await writeFile(file, out);
      expect(await audit(['verify', file])).toMatchObject({ code: 0, out: expect.stringContaining('OK: ') });
      return entries.map(([, facts = '']) => Number(JSON.parse(facts).attempts)).sort();
    }, 20_000);
  } finally {
    await rm(folder, { recursive: true });
    await sealing.stop();
  }
}

describe('a bot whose Redis loses what it had acknowledged', () => {
  const log = collectLog();
  let world: World;
  let port: number;
  let unsent: Fixture;
  let sent: Fixture;
  let gone: Fixture;
  let inForm: Fixture;
  let unsentCard: Message;
  let sentCard: Message;
  let goneCard: Message;

  beforeAll(async () => {
    world = await startWorld({ fixtures: 4, approvals: [{ undo: '15s' }], redisOfBots: 'one server' });
    [unsent, sent, gone, inForm] = [
      await world.fixture(),
      await world.fixture(),
      await world.fixture(),
      await world.fixture(),
    ];
    port = await freePort();
    await world.startBot({ port, log: pino({ level: 'info' }, log.to) });
    await sent.setTasks([
      { name: 'draft', humanInput: true, output: 'A draft.' },
      { name: 'print', output: 'Printed it.', hold: 'prints' },
    ]);
    await world.crews.sandbox.shutGate('prints');
    await Promise.all([unsent.start(), sent.start()]);
    [unsentCard, sentCard] = await Promise.all([unsent.linkedCard(), sent.linkedCard()]);
    await loseSince(world, async () => {
      await Promise.all([gone.start(), inForm.start()]);
      goneCard = await gone.linkedCard();
      await inForm.jon.click('Reject…', { in: await inForm.linkedCard() });
      await inForm.jon.fill('What should change?', 'Say more about oolong.');
      await sent.jon.click('Approve', { in: sentCard });
      await sent.jon.seesChanged(sentCard, 'Sent to the crew.');
      await unsent.jon.click('Approve', { in: unsentCard });
      await unsent.jon.seesChanged(unsentCard, '[Undo]');
    });
    await gone.maria.sees('Signoff', 'lost a run');
  }, 60_000);
  afterAll(() => world.stop());

  it('says that a decision is lost that was never sent, and takes it again', async () => {
    const said = visibleText(await unsent.jon.seesChanged(unsentCard, 'The database lost what'));
    expect(said).toMatch(
      /The database lost what Jon the \w+ decided, before it was sent to the crew\. Please decide again\./,
    );
    expect(said).toContain('[Approve]');
    await unsent.approve(unsentCard);
    await unsent.run('is completed', ({ status }) => status === 'completed');
    expect(await unsent.resumes()).toHaveLength(1);
    expect(await textOf(unsent, unsentCard)).not.toContain('lost');
  });

  it('knows what the crew has, and sends no decision twice', async () => {
    await world.crews.sandbox.openGate('prints');
    await sent.run('is completed', ({ status }) => status === 'completed');
    await sent.maria.seesChanged(await sent.root(), 'Completed');
    expect(await textOf(sent, sentCard)).toContain('Sent to the crew.');
    expect(await sent.resumes()).toHaveLength(1);
  });

  it('tells the starter of a run that is gone, with its reference', async () => {
    const [message] = await gone.maria.channel('Signoff');
    const said = message ? visibleText(message) : '';
    expect(said).toContain('The database of Signoff lost a run that you started.');
    expect(said).toMatch(/crew-3 · .*Reference/);
  });

  it('tells whoever clicks on a card of that run that it is gone, and the card keeps its buttons', async () => {
    await gone.jon.click('Approve', { in: goneCard });
    await gone.jon.seesModal('Signoff’s database doesn’t have this');
    await gone.jon.closeModal();
    expect(await textOf(gone, goneCard)).toContain('[Approve]');
    expect(await gone.resumes()).toEqual([]);
  });

  it('gives back what was typed into a form of that run', async () => {
    await inForm.jon.submit();
    await inForm.jon.seesModal('Say more about oolong.');
    expect(await inForm.resumes()).toEqual([]);
  });

  it('says so in its log and its metrics', async () => {
    const lines = log
      .text()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const reports = lines.filter(({ msg }) => msg === 'Redis has lost changes that it had acknowledged');
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ level: 50, count: expect.any(Number), shards: expect.any(Array) });
    expect((await scrape(port)).get('signoff_lost_writes_total')).toBe(reports[0]?.count);
    expect(lines.filter(({ msg }) => msg === 'Redis has lost this run')).toHaveLength(2);
  });

  it('tells it in the ledger, which goes on from what Redis has', async () => {
    expect(await exportedLosses(world)).toEqual([0, 1]);
  });
});

describe('two bots whose Redis loses what it had acknowledged', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ fixtures: 1, approvals: [{ undo: '1h' }], redisOfBots: 'one server' });
    await world.startBot();
    await world.startBot();
  });
  afterAll(() => world.stop());

  it('call a decision not confirmed that one of them may have sent', async () => {
    const fixture = await world.fixture();
    const { jon, maria } = fixture;
    await fixture.start();
    const card = await fixture.linkedCard();
    await loseSince(world, async () => {
      await jon.click('Approve', { in: card });
      await jon.seesChanged(card, '[Undo]');
    });
    const said = visibleText(await jon.seesChanged(card, '[Send again]', { withinMs: 60_000 }));
    expect(said).toContain('didn’t confirm this decision');
    await maria.click('Send again', { in: card, confirm: 'Send again' });
    await fixture.run('is completed', ({ status }) => status === 'completed');
    expect(await fixture.resumes()).toHaveLength(1);
    expect(await exportedLosses(world)).toEqual([1]);
  }, 90_000);
});
