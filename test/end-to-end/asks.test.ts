import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import { signingKeys } from '../../src/crew/signature.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
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
    fixtures: 15,
    crews: [
      { name: 'deploys', settings },
      { name: 'pickers', settings: { ...settings, approval: { approving: ['ship*'] } } },
      { name: 'hasty', settings: { ...settings, approval: { expire_after: '4h' } } },
      {
        name: 'named',
        settings: {
          ...settings,
          asked_by: 'Release pipeline',
          // Of the service of a crew, which hears of no ask.
          approval_notes: false,
          inputs: { env: { label: 'Environment' } },
          approval: { approvers: ['channel'], remind_after: '1s' },
        },
      },
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
  return { ...fixture, ...program(fixture.crew), card: () => fixture.card(' needed') };
}

/** The timestamps of the messages of a channel that are outside of threads. */
const messagesIn = (channelId: string) =>
  world.slack
    .messages()
    .filter(
      ({ channel, threadTs, ts, onlyFor }) => channel === channelId && [undefined, ts].includes(threadTs) && !onlyFor,
    )
    .map(({ ts }) => ts);

it('A program is asked to send again what names a channel that Slack can’t look up', async () => {
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
      body: { id: null, ref: expect.stringMatching(/^[a-z2-7]{26}$/), status: 'waiting' },
    });
    const ref = refOf(asked);
    const request = await card();
    expect(visibleText(request)).toContain('Deploy 1.4');
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

  it('posts one message, which says who asks and has the labelled inputs, and what follows stands in its thread', async () => {
    const { channelId, jon, card } = await world.fixture();
    const { ask, fetch } = program('named');
    const ref = refOf(await ask({ channel: channelId, inputs: { env: 'production' } }));
    const request = await card();
    expect(visibleText(request)).toMatch(/Asked by Release pipeline(.|\n)*Environment:.* production/);
    expect(visibleText(request)).toContain('Approve with note…');
    const reminder = await jon.seesInThread(request, 'has been waiting');
    expect(reminder.threadTs).toBe(request.ts);
    expect(messagesIn(channelId)).toEqual([request.ts]);
    await jon.click('History', { in: request });
    await jon.seesModal('History');
    await jon.closeModal();
    await jon.click('Approve', { in: request });
    const decided = await jon.seesChanged(request, 'approved');
    expect(visibleText(decided)).toMatch(/Asked by Release pipeline(.|\n)*Environment:.* production/);
    const url = `/p${request.ts.replace('.', '')}`;
    expect((await fetch(ref)).body).toMatchObject({ decision: 'approved', url: expect.stringMatching(`${url}$`) });
  });

  it('gets its card back when somebody deletes it, with a thread of its own', async () => {
    const { ask, fetch, card, jon, channelId, approve } = await asking();
    const ref = refOf(await ask());
    const deleted = await card();
    await eventually(
      async () => (await fetch(ref)).body.url ?? undefined,
      async () => 'nobody says where the card is',
    );
    world.slack.deleteMessage(deleted);
    const again = await jon.waitFor('the card once more', ({ messages }) =>
      messages[channelId]?.find(({ ts, threadTs }) => ts !== deleted.ts && threadTs === undefined),
    );
    await approve(again);
    const url = expect.stringContaining(again.ts.replace('.', ''));
    expect((await fetch(ref, 50)).body).toMatchObject({ decision: 'approved', url });
  });

  it('gets the edited text with an approval, and no list of edits to try again with', async () => {
    const { ask, fetch, card, jon } = await asking();
    const ref = refOf(await ask());
    await jon.click('Edit…', { in: await card() });
    await jon.seesModal('Change the text');
    const [text = ''] = await jon.chosen('Text');
    const edited = text.replace('green', 'blue');
    await jon.fill('Text', edited);
    await jon.submit();
    expect(modalText(await jon.seesModal('Your edits'))).not.toContain('Send back');
    await jon.submit();
    expect((await fetch(ref, 50)).body).toMatchObject({
      ...{ decision: 'approved', by: { id: jon.id } },
      feedback: `Approved with these edits:\n${edited}`,
      edited_text: edited,
    });
  });

  it('offers outcomes, of which people choose one', async () => {
    const { ask, fetch } = program('pickers');
    const ref = refOf(await ask({ title: 'Which one', text: 'Pick *one*.', outcomes: ['ship it', 'hold'] }));
    const jon = world.slack.as('jon');
    const request = await jon.sees('#releases', 'Pick *one*.');
    await jon.click('ship it', { in: request });
    expect((await fetch(ref, 50)).body).toMatchObject({ status: 'decided', decision: 'approved', outcome: 'ship it' });
  });

  it('offers more than five outcomes in a menu, and is told which one people chose', async () => {
    const { ask, fetch } = program('deploys');
    const outcomes = Array.from({ length: 12 }, (_, i) => `Route ${i + 1}`);
    const callback = `${receiver.origin}/hooks/chosen`;
    const ref = refOf(await ask({ text: 'Choose *a route*.', outcomes, callback }));
    const jon = world.slack.as('jon');
    const request = await jon.sees('#releases', 'Choose *a route*.');
    await jon.choose('Choose an answer', 'Route 11', { in: request });
    const told = { status: 'decided', decision: 'approved', outcome: 'Route 11' };
    expect((await fetch(ref, 50)).body).toMatchObject(told);
    const call = await eventually(
      async () => receiver.received.find(({ body }) => body.includes(ref)),
      async () => `nobody was called about ${ref}`,
    );
    expect(JSON.parse(call.body)).toMatchObject({ data: { ref, ...told } });
  });

  it('has its only outcome rejected, too, and its reason shown as its own words', async () => {
    const { ask, fetch, card, jon } = await asking();
    const ref = refOf(await ask({ outcomes: ['ship it'], why: 'The _tests_ are green, <!channel>.' }));
    const request = await card();
    expect(visibleText(request)).toMatch(/\S+ says:\n.*The _tests_ are green, <!channel>\.\n/);
    expect(request.notifies).toEqual([]);
    await jon.click('Reject…', { in: request });
    await jon.fill('Reason', 'Not on Fridays.');
    await jon.submit();
    const told = { decision: 'rejected', outcome: null, feedback: 'Not on Fridays.' };
    expect((await fetch(ref, 50)).body).toMatchObject(told);
  });

  it('gets an answer with the values that people have filled in, also at its address, and the history tells it', async () => {
    const { jon, channelId, card } = await world.fixture();
    const { ask, fetch } = program('deploys');
    const fields = [
      { name: 'where', label: 'Where to?', type: 'choice', options: ['staging', 'production'] },
      { name: 'on', type: 'date' },
      { name: 'note', type: 'long_text', required: false },
    ];
    const callback = `${receiver.origin}/hooks/answered`;
    const asked = { channel: channelId, id: 'where to', fields, callback };
    const ref = refOf(await ask(asked));
    expect(await ask(asked)).toMatchObject({ status: 200, body: { ref } });
    expect((await ask({ ...asked, fields: fields.slice(1) })).status).toBe(409);
    const request = await card('Answer needed');
    await jon.click('Answer…', { in: request });
    await jon.choose('Where to?', 'production');
    await jon.fill('on', '2026-12-31');
    await jon.submit();
    const told = { decision: 'approved', outcome: null, answer: { where: 'production', on: '2026-12-31' } };
    expect((await fetch(ref, 50)).body).toMatchObject(told);
    const call = await eventually(
      async () => receiver.received.find(({ body }) => body.includes(ref)),
      async () => `nobody was called about ${ref}`,
    );
    expect(JSON.parse(call.body)).toMatchObject({ data: told });
    const decided = await jon.seesChanged(request, 'Where to?');
    await jon.click('History', { in: decided });
    await jon.seesModal('The answer: Where to? "production", on: "2026-12-31".');
    await jon.closeModal();
  });

  it('gets free text from one long field, which the card shows under the name of who wrote it', async () => {
    const { ask, fetch, card, jon } = await asking();
    const fields = [{ name: 'answer', label: 'Which customers are affected?', type: 'long_text' }];
    const ref = refOf(await ask({ title: 'Who is affected?', text: 'The invoice job failed twice.', fields }));
    const request = await card();
    expect(visibleText(request)).not.toContain('[Approve]');
    await jon.click('Answer…', { in: request });
    await jon.fill('Which customers are affected?', 'Only ACME.\nSince Monday.');
    await jon.submit();
    expect((await fetch(ref, 50)).body).toMatchObject({
      status: 'decided',
      decision: 'approved',
      answer: { answer: 'Only ACME.\nSince Monday.' },
      feedback: null,
    });
    const answered = visibleText(await jon.seesChanged(request, 'answered “Who is affected?”'));
    expect(answered).toMatch(/Which customers are affected\? \nOnly ACME\.\nSince Monday\./);
  });

  it('asks once under an id, and not something else under it', async () => {
    const { ask, jon, channel, card } = await asking();
    const first = await ask({ id: 'build-7' });
    await card();
    const again = await ask({ id: 'build-7' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toMatchObject({ id: 'build-7', ref: refOf(first), status: 'waiting' });
    const others = [
      { title: 'Other' },
      { text: 'Other' },
      { inputs: { a: 1 } },
      { outcomes: ['a', 'b'] },
      { why: 'Other' },
      { expires_in: 60 },
    ];
    for (const other of others) expect((await ask({ id: 'build-7', ...other })).status).toBe(409);
    expect((await ask({ id: 'build-8', title: 'The next one' })).status).toBe(201);
    await jon.sees(channel, 'Approval needed: The next one');
    // Other tests ask in a channel of their own.
    const shown = (await jon.channel(channel)).map(visibleText);
    expect(shown.filter((text) => text.includes('Approval needed: Deploy 1.4'))).toHaveLength(1);
  });

  it('takes back what it has asked, which closes the card', async () => {
    const { ask, fetch, withdraw, card, jon } = await asking();
    const ref = refOf(await ask());
    const request = await card();
    const waits = fetch(ref, 50);
    expect(await withdraw(ref)).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect((await waits).body.status).toBe('cancelled');
    expect((await withdraw(ref)).status).toBe(200);
    const closed = await jon.seesChanged(request, 'The program that asked stopped waiting');
    expect(visibleText(closed)).not.toContain('[Approve]');
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
    // Somebody else may be sealing what was just stored.
    const asked = await eventually(
      async () => {
        const { out } = await audit(['export', '--ref', ref], { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET });
        return out.split('\n').find((line) => line.includes('"kind":"asked"'));
      },
      async () => `nothing was sealed of ${ref}`,
    );
    expect(JSON.parse(asked).facts.limit_ms).toBe(limitMs);
    await withdraw(ref);
  });

  it('is waited for with what people have decided, and nobody says that it has it before', async () => {
    const { ask, fetch, card, jon, approve } = await asking();
    const ref = refOf(await ask());
    const request = await card();
    await approve(request);
    await jon.seesChanged(request, 'The program that asked hasn’t fetched the decision yet.');
    expect((await fetch(ref)).body).toMatchObject({ status: 'decided', decision: 'approved' });
    await jon.seesChanged(request, 'Passed on to the program that asked.');
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

  it('is told at its address, signed, what it would fetch', async () => {
    const { ask, fetch } = program('deploys');
    const callback = `${receiver.origin}/hooks/decided`;
    const ref = refOf(await ask({ text: 'Call *me*.', callback, id: 'call-me' }));
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
      data: { id: 'call-me', ref, status: 'decided', decision: 'approved', by: { id: jon.id } },
    });
    const { url, ...fetched } = (await fetch(ref)).body;
    expect(JSON.parse(told.body).data).toEqual(fetched);
    await jon.seesChanged(request, 'Passed on to the program that asked.');
  });
});

describe.concurrent('A wrong request of a program', () => {
  it('is refused with a sentence for each of several rules that it breaks', async () => {
    const wrong = {
      title: '',
      text: ' ',
      why: 'x'.repeat(2_001),
      callback: 'https://evil.example/',
      expires_in: '3 weeks',
      outcomes: ['a', 'a'],
      fields: [
        { name: '"', type: 'choice', min: 1, max: 'many', default: 2 },
        { name: 'b', options: ['c'] },
        { name: 7, options: [] },
      ],
      inputs: { a: 'x'.repeat(3_001) },
      replaces: 'x',
      who: 'me',
    };
    const { status, body } = await program('deploys').ask(wrong);
    expect(status).toBe(422);
    expect(body.problems?.toSorted()).toEqual([
      "callback is on evil.example, which callback_hosts of the crew doesn't name.",
      'expires_in must be a number of seconds, or a time such as 30m or 4h, of at most 365d.',
      'fields can’t come together with outcomes.',
      'fields.0.default is no setting of a field.',
      'fields.0.max is only for a number.',
      'fields.0.max must be a number.',
      'fields.0.min is only for a number.',
      'fields.0.name is no usable name of a field.',
      'fields.0.options must be a list of 1 to 100 different texts, for a choice.',
      'fields.1.options is only for a choice.',
      'fields.2.name must be one line of 1 to 150 characters.',
      'fields.2.options is only for a choice.',
      'fields.2.options must be a list of 1 to 100 different texts.',
      'inputs.a must be a text of at most 3000 characters, a number, or true or false.',
      'outcomes must be a list of 1 to 100 different names.',
      'replaces can’t come without thread.',
      'text must be text of 1 to 1048576 characters.',
      'title must be one line of 1 to 150 characters.',
      'who is no field of an ask.',
      'why must be text of 1 to 2000 characters.',
    ]);
  });

  it.each([
    [{ channel: 'nowhere' }, 'channel is none that the bot can post in.'],
    [{ channel: 'C0NOWHERE' }, 'channel is none that the bot can post in.'],
    [{ outcomes: ['a', 'x'.repeat(76)] }, 'outcomes.1 must be one line of 1 to 75 characters.'],
    [{ fields: [{ name: 'a', type: 'file' }] }, 'fields.0.type must be text, long_text, number, choice or date.'],
    [{ fields: [{ name: 'a' }, { name: 'a' }] }, 'fields must be a list of 1 to 10 fields with different names.'],
    [{ fields: [] }, 'fields must be a list of 1 to 10 fields with different names.'],
    [{ fields: [{ name: 'a', type: 'number', min: 2, max: 1 }] }, 'fields.0.max is less than min.'],
    [{ expires_in: 1e20 }, 'expires_in must be a number of seconds, or a time such as 30m or 4h, of at most 365d.'],
  ])('is refused: %j', async (wrong, message) => {
    expect(await program('deploys').ask(wrong)).toMatchObject({ status: 422, body: { message } });
  });
});
