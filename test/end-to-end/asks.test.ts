import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { signingKeys } from '../../src/crew/signature.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { type AnsweringServer, startAnsweringServer } from '../crew/answering-server.ts';
import { askingProgram, refOf } from '../support/asks.ts';
import { audit } from '../support/audit-program.ts';
import { startWorld, TEST_SECRET, type World } from '../support/world.ts';

let world: World;
let bot: Bot;
let receiver: AnsweringServer;

beforeAll(async () => {
  receiver = await startAnsweringServer();
  receiver.answerWith({ status: 204 });
  const settings = { channel: 'releases', callback_hosts: [new URL(receiver.origin).host] };
  world = await startWorld({
    fixtures: 12,
    crews: [
      { name: 'deploys', settings },
      { name: 'pickers', settings: { ...settings, approval: { approving: ['ship*'] } } },
      { name: 'hasty', settings: { ...settings, approval: { expire_after: '4h' } } },
      { name: 'careful', settings: { ...settings, approval: { undo: '2s' } } },
    ],
  });
  bot = await world.startBot();
});
afterAll(async () => {
  await world.stop();
  await receiver.close();
});

const program = (crew: string) => askingProgram(() => bot.port, crew);

/** A fixture and a program that asks in its channel. */
async function asking() {
  const fixture = await world.fixture();
  return { ...fixture, ...program(fixture.crew), card: () => fixture.card('Approval needed') };
}

it('is asked to send again what names a channel that Slack can’t look up', async () => {
  const effect = { kind: 'error', error: 'internal_error' } as const;
  world.slack.faults.add({ method: 'conversations.list', effect });
  const { ask } = program('deploys');
  expect((await ask({ channel: '#general' })).status).toBe(503);
  world.slack.faults.clear();
});

describe.concurrent('a program that asks', () => {
  it('gets a card in the channel of the crew, and hears the decision at once', async () => {
    const { ask, fetch, card, jon, approve, channelId } = await asking();
    const asked = await ask();
    expect(asked).toMatchObject({
      status: 201,
      body: { ref: expect.stringMatching(/^[a-z2-7]{26}$/), status: 'waiting' },
    });
    const ref = refOf(asked);
    const request = await card();
    expect(visibleText(request)).toContain('Deploy 1.4');
    expect(visibleText(request)).not.toContain('[Edit…]');
    expect((await fetch(ref)).body).toMatchObject({ ref, status: 'waiting', url: expect.stringContaining(channelId) });

    const answer = fetch(ref, 50);
    const began = performance.now();
    await approve(request);
    expect(await answer).toMatchObject({
      status: 200,
      body: { ref, status: 'decided', decision: 'approved', outcome: null, feedback: null, by: { id: jon.id } },
    });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(Date.parse((await fetch(ref)).body.decided_at ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('hears what people say with a rejection', async () => {
    const { ask, fetch, card, jon } = await asking();
    const ref = refOf(await ask());
    await jon.click('Reject…', { in: await card() });
    await jon.fill('Reason', 'Wait for Monday.');
    await jon.submit();
    expect((await fetch(ref, 50)).body).toMatchObject({ decision: 'rejected', feedback: 'Wait for Monday.' });
  });

  it('offers outcomes, of which people choose one', async () => {
    const { ask, fetch } = program('pickers');
    const ref = refOf(await ask({ title: 'Which one', text: 'Pick *one*.', outcomes: ['ship it', 'hold'] }));
    const jon = world.slack.as('jon');
    const request = await jon.sees('#releases', 'Pick *one*.');
    await jon.click('ship it', { in: request });
    expect((await fetch(ref, 50)).body).toMatchObject({ status: 'decided', decision: 'approved', outcome: 'ship it' });
  });

  it('asks once under an id, and not something else under it', async () => {
    const { ask, jon, channel, card } = await asking();
    const first = await ask({ id: 'build-7' });
    await card();
    const again = await ask({ id: 'build-7' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ ref: refOf(first), status: 'waiting' });
    const others = [
      { title: 'Other' },
      { text: 'Other' },
      { inputs: { a: 1 } },
      { outcomes: ['a', 'b'] },
      { expires_in: 60 },
    ];
    for (const other of others) expect((await ask({ id: 'build-7', ...other })).status).toBe(409);
    expect((await ask({ id: 'build-8', title: 'The next one' })).status).toBe(201);
    await jon.sees(channel, 'Approval needed: The next one');
    expect((await jon.screen()).split('Approval needed: Deploy 1.4')).toHaveLength(2);
  });

  it('takes back what it has asked, which closes the card', async () => {
    const { ask, fetch, withdraw, card, jon } = await asking();
    const ref = refOf(await ask());
    const request = await card();
    const waits = fetch(ref, 50);
    expect(await withdraw(ref)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect((await waits).body.status).toBe('cancelled');
    expect((await withdraw(ref)).status).toBe(200);
    const closed = await jon.seesChanged(request, 'Whoever asked stopped waiting');
    expect(visibleText(closed)).not.toContain('[Approve]');
  });

  it('can’t take back what was decided, and hears it instead', async () => {
    const { ask, fetch, withdraw, card, approve } = await asking();
    const ref = refOf(await ask());
    await approve(await card());
    await fetch(ref, 50);
    expect(await withdraw(ref)).toMatchObject({ status: 409, body: { status: 'decided', decision: 'approved' } });
  });

  it('hears that nobody decided in time', async () => {
    const { ask, fetch, card } = await asking();
    const ref = refOf(await ask({ expires_in: 3 }));
    await card();
    expect((await fetch(ref, 50)).body).toMatchObject({ status: 'expired', decision: 'expired', by: null });
  });

  it.each<[string, string, object, number | undefined]>([
    ['after a day, where nobody says so', 'deploys', {}, 86_400_000],
    ['when it says so', 'deploys', { expires_in: '3d' }, 3 * 86_400_000],
    ['when the rules say so', 'hasty', {}, undefined],
  ])('stops waiting %s, and asks the same once', async (when, crew, given, limitMs) => {
    const { ask, withdraw } = program(crew);
    const asks = { title: `Ends ${when}`, id: `ends ${when}`, ...given };
    const ref = refOf(await ask(asks));
    expect(await ask(asks)).toMatchObject({ status: 200, body: { ref } });
    const { out } = await audit(['export', '--ref', ref], { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });
    const asked = out.split('\n').find((line) => line.includes('"kind":"asked"')) ?? '{}';
    expect(JSON.parse(asked).facts.limit_ms).toBe(limitMs);
    await withdraw(ref);
  });

  it('is waited for with what people have decided, and nobody says that it has it before', async () => {
    const { ask, fetch, card, jon, approve } = await asking();
    const ref = refOf(await ask());
    const request = await card();
    await approve(request);
    await jon.seesChanged(request, 'Ready to be fetched.');
    expect((await fetch(ref)).body).toMatchObject({ status: 'decided', decision: 'approved' });
    await jon.seesChanged(request, 'Passed on to whoever asked.');
  });

  it('doesn’t hear a decision as long as it can be undone', async () => {
    const { ask, fetch } = program('careful');
    const ref = refOf(await ask({ text: 'Undo *me*.' }));
    const jon = world.slack.as('jon');
    const request = await jon.sees('#releases', 'Undo *me*.');
    await jon.click('Approve', { in: request });
    const undoable = await jon.seesChanged(request, 'Undo');
    expect((await fetch(ref)).body.status).toBe('waiting');
    expect(visibleText(undoable)).not.toContain('the crew');
    expect((await fetch(ref, 50)).body).toMatchObject({ status: 'decided', decision: 'approved' });
  });

  it('waits no longer than it wants to', async () => {
    const { ask, fetch } = await asking();
    const ref = refOf(await ask());
    const began = performance.now();
    expect((await fetch(ref, 1)).body.status).toBe('waiting');
    expect(performance.now() - began).toBeGreaterThan(900);
  });

  it('is told at its address, signed', async () => {
    const { ask } = program('deploys');
    const callback = `${receiver.origin}/hooks/decided`;
    const ref = refOf(await ask({ text: 'Call *me*.', callback }));
    const jon = world.slack.as('jon');
    const request = await jon.sees('#releases', 'Call *me*.');
    await jon.click('Approve', { in: request });
    const told = await eventually(
      async () => receiver.received.find(({ body }) => body.includes(ref)),
      async () => `nobody was called about ${ref}`,
    );
    const [key = ''] = signingKeys([TEST_SECRET], { purpose: 'callback', crew: 'deploys' });
    expect(new Webhook(key).verify(told.body, told.headers as Record<string, string>)).toMatchObject({
      type: 'ask.decided',
      data: { ref, decision: 'approved', by: { id: jon.id } },
    });
    await jon.seesChanged(request, 'Passed on to whoever asked.');
  });
});

describe.concurrent('what is asked wrongly', () => {
  it('is refused with a sentence for every field', async () => {
    const { ask } = program('deploys');
    const wrong = {
      title: 'two\nlines',
      text: ' ',
      outcomes: ['same', 'same'],
      callback: 7,
      inputs: { a: null },
      expires_in: '3 weeks',
      who: 'me',
    };
    const answer = await ask(wrong);
    expect(answer.status).toBe(422);
    expect(answer.body.problems).toEqual([
      'title must be one line of 1 to 150 characters.',
      'text must be text of 1 to 1048576 characters.',
      'outcomes must be a list of 2 to 5 different names.',
      'callback must be an address.',
      'inputs.a must be a text of at most 3000 characters, a number, or true or false.',
      'expires_in must be a number of seconds, or a time such as 30m or 4h, of at most 365d.',
      'who is no field of an ask.',
    ]);
  });

  it.each([
    [
      { callback: 'https://evil.example/' },
      "callback is on evil.example, which callback_hosts of the crew doesn't name.",
    ],
    [{ channel: 'nowhere' }, 'channel is none that the bot can post in.'],
    [{ channel: 'C0NOWHERE' }, 'channel is none that the bot can post in.'],
    [
      { outcomes: Array.from({ length: 20 }, (_, i) => `outcome ${i}`) },
      'outcomes must be a list of 2 to 5 different names.',
    ],
    [{ outcomes: ['a', 'x'.repeat(76)] }, 'outcomes.1 must be one line of 1 to 75 characters.'],
    [{ expires_in: 0 }, 'expires_in must be a number of seconds, or a time such as 30m or 4h, of at most 365d.'],
  ])('is refused: %j', async (wrong, message) => {
    expect(await program('deploys').ask(wrong)).toMatchObject({ status: 422, body: { message } });
  });
});
