import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { closeRedis, connectRedis, pingRedis } from '../../src/redis/connection.ts';
import { recordKeys } from '../../src/redis/keys.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { type AnsweringServer, startAnsweringServer } from '../crew/answering-server.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { audit, report } from '../support/audit-program.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let bot: Bot;
let other: Bot;
let receiver: AnsweringServer;

beforeAll(async () => {
  receiver = await startAnsweringServer();
  receiver.answerWith({ status: 204 });
  const settings = { channel: 'releases', callback_hosts: [new URL(receiver.origin).host] };
  world = await startWorld({
    fixtures: 11,
    crews: [
      { name: 'deploys', settings },
      { name: 'careful', settings: { ...settings, approval: { undo: '1h' } } },
    ],
  });
  bot = await world.startBot();
  other = await world.startBot();
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

/** A fixture, a program that asks in its channel, and the texts of the messages that begin threads there. */
async function asking() {
  const fixture = await world.fixture();
  const { jon, channelId } = fixture;
  const program = askingProgram(() => bot.port, fixture.crew);
  const textsIn = async () => (await jon.channel(fixture.channel)).map(visibleText);
  const rejects = async (request: Message, reason: string) => {
    await jon.click('Reject…', { in: request });
    await jon.fill('Reason', reason);
    await jon.submit();
  };
  const cardIn = (root: Message, wanted: string | RegExp) => jon.seesInThread(root, wanted);
  return { ...fixture, ...program, channelId, textsIn, cardIn, rejects };
}

const exported = async (ref: string) => {
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  const { out } = await audit(['export', '--ref', ref], env);
  return out.split('\n').filter((line) => line.startsWith('{'));
};

describe.concurrent('A request that a program asks in a thread', () => {
  it('comes as rounds below its first card, each compared with the one before, with the feedback that led to it', async () => {
    const { ask, fetch, card, cardIn, rejects, jon, channel, approve } = await asking();
    const asks = (text: string) =>
      ask({ title: 'Release notes', text, thread: 'notes 1.4', inputs: { part: text.length } });
    const refs = [refOf(await asks('The kettle is blue.\n\nIt boils.'))];
    const root = await card('Release notes');
    await rejects(root, 'Say that it is green');
    expect((await fetch(refs[0] ?? '', 50)).body).toMatchObject({ decision: 'rejected' });

    refs.push(refOf(await asks('The kettle is green.\n\nIt boils.')));
    const second = await cardIn(root, 'Round 2');
    expect(second.threadTs).toBe(root.ts);
    expect(visibleText(second)).toMatch(/Approval needed: Release notes(.|\n)*Round 2, after a rejection by/);
    expect(visibleText(second)).toContain('Say that it is green');
    expect(visibleText(second)).toMatch(/\*Changed since round 1\*.*\[Compare\]/s);
    await jon.click('Compare', { in: second });
    expect(modalText(await jon.seesModal('What changed'))).toMatch(/round 1 → round 2(.|\n)*green/);
    await jon.closeModal();
    await jon.openHome();
    await jon.seesHome(/Release notes.* · Round 2/);
    await jon.command(channel, '/kickoff', 'who');
    expect(visibleText(await jon.seesPrivately(channel, 'Round 2'))).toContain(`thread_ts=${root.ts}`);
    await rejects(second, 'Shorter');
    await fetch(refs[1] ?? '', 50);

    refs.push(refOf(await asks('The kettle is green.')));
    const third = await cardIn(root, 'Round 3');
    expect(visibleText(third)).toMatch(/Round 3, after a rejection by(.|\n)*Changed since round 2/);
    expect(visibleText(third)).not.toContain('Say that it is green');
    await approve(third);
    const told = (await fetch(refs[2] ?? '', 50)).body;
    expect(told).toMatchObject({ decision: 'approved', url: expect.stringContaining(`thread_ts=${root.ts}`) });
    expect(new Set(refs).size).toBe(3);
    const link = String((await fetch(refs[0] ?? '')).body.url);
    const { errors } = await audit(['who', link], { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });
    for (const ref of refs) expect(errors).toMatch(new RegExp(`Several things were asked in this thread: .*${ref}`));
    expect((await fetch(refs[0] ?? '')).body).toMatchObject({ decision: 'rejected', feedback: 'Say that it is green' });
  });

  it('is found in the History of its own card, and in the form for feedback on its own card', async () => {
    const { ask, card, cardIn, jon } = await asking();
    await ask({ title: 'First of two', text: 'One.', thread: 't' });
    const root = await card('First of two');
    await ask({ title: 'Second of two', text: 'Two.', thread: 't' });
    const second = await cardIn(root, 'Second of two');
    for (const [title, request] of [
      ['First of two', root],
      ['Second of two', second],
    ] as const) {
      await jon.click('History', { in: request });
      await jon.seesModal(title);
      await jon.closeModal();
      await jon.messageShortcut('Use as feedback', request);
      await jon.seesModal(title);
      await jon.closeModal();
    }
  });

  it('is a message of the channel only where it is the first, also of two that two bots take at the same time', async () => {
    const { crew, ask, jon, channel, channelId } = await asking();
    const elsewhere = askingProgram(() => other.port, crew);
    const others = ['a', 'b', 'c', 'd'].flatMap((thread) => [
      ask({ title: `Pair ${thread}`, thread }),
      elsewhere.ask({ title: `Pair ${thread}`, thread }),
    ]);
    await Promise.all([
      ask({ title: 'One', thread: 'both', id: 'one' }),
      elsewhere.ask({ title: 'Two', thread: 'both', id: 'two' }),
      ...others,
    ]);
    const cards = await jon.waitFor('both cards', ({ messages }) => {
      const found = ['One', 'Two'].map((title) =>
        messages[channelId]?.find((message) => visibleText(message).includes(`Approval needed: ${title}`)),
      );
      return found.every((each) => each !== undefined) ? found : undefined;
    });
    const [first, second] = cards.toSorted((a, b) => Number(a?.ts) - Number(b?.ts));
    expect([undefined, first?.ts]).toContain(first?.threadTs);
    expect(second?.threadTs).toBe(first?.ts);
    for (const thread of ['a', 'b', 'c', 'd']) {
      const pair = await jon.waitFor('both cards of a pair', ({ messages }) => {
        const found = messages[channelId]?.filter((each) => visibleText(each).includes(`needed: Pair ${thread}`));
        return found?.length === 2 ? found : undefined;
      });
      expect(new Set(pair.map(({ ts, threadTs = ts }) => threadTs)).size).toBe(1);
    }
    await ask({ title: 'Three', thread: 'both' });
    expect((await jon.sees(channel, 'Approval needed: Three')).threadTs).toBe(first?.ts);
    expect(await ask({ title: 'One', thread: 'both', id: 'one' })).toMatchObject({ status: 200 });
  });

  it('goes on waiting when something else is asked there', async () => {
    const { ask, fetch, card, cardIn, approve } = await asking();
    const first = refOf(await ask({ title: 'First', thread: 't' }));
    const root = await card('First');
    const second = refOf(await ask({ title: 'Second', text: 'Another text.', thread: 't' }));
    await approve(await cardIn(root, 'Second'));
    expect((await fetch(second, 50)).body.status).toBe('decided');
    expect((await fetch(first)).body.status).toBe('waiting');
    await approve(root);
    expect((await fetch(first, 50)).body.status).toBe('decided');
  });

  it('replaces what it says, whose card closes, and which tells nobody a decision', async () => {
    const { jon, channelId, channel } = await world.fixture();
    const { ask, fetch, withdraw } = askingProgram(() => bot.port, 'deploys');
    const asks = { channel: channelId, thread: 'replaced' };
    const callback = `${receiver.origin}/replaced`;
    const first = refOf(await ask({ ...asks, title: 'Old', callback }));
    const root = await jon.sees(channel, 'Approval needed: Old');
    const waits = fetch(first, 50);
    const asked = { ...asks, title: 'New', text: 'All **blue**.', id: 'new', replaces: first };
    const second = refOf(await ask(asked));
    expect((await waits).body).toMatchObject({ status: 'closed' });
    const closed = await jon.seesChanged(root, 'The program that asked has asked again before anybody decided.');
    expect(visibleText(closed)).not.toContain('[Approve]');
    const card = await jon.seesInThread(root, 'Approval needed: New');
    expect(visibleText(card)).toContain('Changed since round 1');
    expect(await ask(asked)).toMatchObject({ status: 200, body: { ref: second, status: 'waiting' } });
    expect((await ask({ ...asked, replaces: undefined })).status).toBe(409);
    expect((await ask({ ...asked, thread: 'another' })).status).toBe(409);
    expect(await withdraw(first)).toMatchObject({ status: 409, body: { status: 'closed' } });
    // Somebody else may be sealing what was just stored.
    const entry = await eventually(
      async () => (await exported(first)).find((line) => line.includes('"kind":"cancelled"')),
      async () => `nothing was sealed of ${first}`,
    );
    expect(JSON.parse(entry).facts).toEqual({ approval: '1', replaced_by: second });
    await jon.click('Approve', { in: card });
    expect((await fetch(second, 50)).body.status).toBe('decided');
    expect(receiver.received.filter(({ body }) => body.includes(first))).toEqual([]);
  });

  it('can’t replace what people have decided, and hears that instead', async () => {
    const { ask, fetch, card, approve, textsIn } = await asking();
    const first = refOf(await ask({ id: 'a', title: 'Done', thread: 't' }));
    const root = await card('Done');
    await approve(root);
    await fetch(first, 50);
    const refused = await ask({ title: 'Again', thread: 't', replaces: first });
    expect(refused).toMatchObject({
      status: 409,
      body: { id: 'a', ref: first, status: 'decided', decision: 'approved' },
    });
    await ask({ title: 'Something else', thread: 't' });
    await card('Something else');
    expect((await textsIn()).join('\n')).not.toContain('Again');
  });

  it('can’t replace what people can still undo', async () => {
    const { ask } = askingProgram(() => bot.port, 'careful');
    const jon = world.slack.as('jon');
    const first = refOf(await ask({ text: 'Undo *this*.', thread: 'undo' }));
    const card = await jon.sees('#releases', 'Undo *this*.');
    await jon.click('Approve', { in: card });
    await jon.seesChanged(card, 'Undo');
    expect(await ask({ thread: 'undo', replaces: first })).toMatchObject({
      status: 409,
      body: { ref: first, status: 'waiting' },
    });
  });

  it('replaces what nobody decided in time, or was taken back, as there is nothing to close', async () => {
    const { ask, withdraw, card, cardIn } = await asking();
    const first = refOf(await ask({ title: 'Taken back', thread: 't' }));
    const root = await card('Taken back');
    await withdraw(first);
    expect((await ask({ title: 'Next', thread: 't', replaces: first })).status).toBe(201);
    await cardIn(root, 'Approval needed: Next');
  });

  it('comes though the first card was refused until its ask was taken back', async () => {
    const { ask, withdraw, card, crew, channelId } = await asking();
    world.slack.faults.add({
      method: 'chat.postMessage',
      where: {
        channel: channelId,
        text: `Approval needed: Refused · ${crew}\nAll green.\nAnyone in the workspace can decide`,
      },
      effect: { kind: 'error', error: 'is_archived' },
      times: 99,
    });
    const first = refOf(await ask({ title: 'Refused', thread: 't' }));
    expect((await ask({ title: 'Waits for the first', thread: 't' })).status).toBe(201);
    await withdraw(first);
    // It begins a thread of its own, or stands below the first card, where that was tried once more and came as closed.
    const second = await card('Waits for the first');
    await ask({ title: 'Follows', thread: 't' });
    expect((await card('Approval needed: Follows')).threadTs).toBe(second.threadTs ?? second.ts);
  });

  it('begins a new thread once the first ask is no longer stored', async () => {
    const { ask, fetch, card, approve, cardIn } = await asking();
    const first = refOf(await ask({ title: 'Long ago', thread: 't' }));
    await approve(await card('Long ago'));
    await fetch(first, 50);
    const redis = connectRedis(world.redis.url, { onTrouble: () => {} });
    await pingRedis(redis);
    await redis.del(recordKeys(first).record);
    await closeRedis(redis);
    await ask({ title: 'Today', thread: 't' });
    const root = await card('Today');
    expect([undefined, root.ts]).toContain(root.threadTs);
    expect(visibleText(root)).not.toContain('Round');
    await ask({ title: 'Later', text: 'All **blue**.', thread: 't' });
    expect(visibleText(await cardIn(root, 'Later'))).toContain('Round 2');
  });

  it('is in one channel, and belongs to one crew', async () => {
    const { ask, fetch, channel, card } = await asking();
    const { ask: asAnother } = askingProgram(() => bot.port, 'deploys');
    const first = refOf(await ask({ title: 'Mine', thread: 'shared name' }));
    await card('Mine');
    expect(await ask({ title: 'Elsewhere', thread: 'shared name', channel: 'releases' })).toMatchObject({
      status: 409,
      body: { message: 'This thread is in another channel: give that channel, or another thread.' },
    });
    expect(await asAnother({ thread: 'shared name', replaces: first })).toMatchObject({ status: 422 });
    expect((await fetch(first)).body.status).toBe('waiting');
    const jon = world.slack.as('jon');
    expect((await asAnother({ text: 'Of *another* crew.', thread: 'shared name' })).status).toBe(201);
    expect((await jon.sees('#releases', 'Of *another* crew.')).threadTs).toBeUndefined();
    expect(channel).not.toBe('#releases');
  });

  it('names what it replaces by a ref of the same thread', async () => {
    const { ask } = await asking();
    const first = refOf(await ask({ thread: 'one' }));
    const message = 'replaces is the ref of nothing that was asked in this thread.';
    for (const replaces of [first, 'nothing'])
      expect(await ask({ thread: 'two', replaces })).toMatchObject({ status: 422, body: { message } });
  });
});

it.each([
  [{ thread: '' }, 'thread must be one line of 1 to 200 characters.'],
  [{ thread: 'x'.repeat(201) }, 'thread must be one line of 1 to 200 characters.'],
  [{ thread: 'a\nb' }, 'thread must be one line of 1 to 200 characters.'],
  [{ replaces: 'aaaabbbbccccddddeeeeffff22' }, 'replaces can’t come without thread.'],
  [{ thread: 'a', replaces: 7 }, 'replaces must be the ref of what was asked before.'],
])('is refused: %j', async (wrong, message) => {
  const { ask } = askingProgram(() => bot.port, 'deploys');
  expect(await ask(wrong)).toMatchObject({ status: 422, body: { message } });
});

it('A thread of a program is proved by the ledger, in which each ask has a chain of its own, and which the report counts', async () => {
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  const { out } = await audit(['export'], env);
  const rounds = out
    .split('\n')
    .filter((line) => line.includes('"kind":"asked"'))
    .map((line): number => JSON.parse(line).facts.round);
  expect(rounds).toEqual(expect.arrayContaining([1, 2, 3]));
  const folder = await mkdtemp(join(tmpdir(), 'signoff-threads-'));
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, out);
  expect(await audit(['verify', file])).toMatchObject({ code: 0 });
  expect(await report(['--since', new Date(Date.now() - 600_000).toISOString()], env)).toMatchObject({ code: 0 });
  await rm(folder, { recursive: true });
});
