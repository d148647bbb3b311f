import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { DEFAULT_APP } from '../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { stopTracking } from '../support/stop-tracking.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 14, preview: 3_000 });
  await world.startBot();
});
afterAll(() => world.stop());

describe.concurrent('Trouble of Slack', () => {
  it('a root and a card that were refused are posted once it is over', async () => {
    const { types, card, channelId, maria, approve, root } = await world.fixture();
    const where = { channel: channelId };
    world.slack.faults.add({
      method: 'chat.postMessage',
      where,
      effect: { kind: 'rate-limited', retryAfterSeconds: 1 },
    });
    world.slack.faults.add({ method: 'chat.postMessage', where, effect: { kind: 'error', error: 'rate_limited' } });
    await types();
    await approve(await card());
    await maria.seesInThread(await root(), 'Finished.');
  });

  it('a decision is delivered, and the card says so as soon as it can be changed', async () => {
    const { start, card, channelId, jon, run } = await world.fixture();
    await start();
    const request = await card();
    const where = { channel: channelId };
    world.slack.faults.add({ method: 'chat.update', where, effect: { kind: 'status', status: 500 }, times: 3 });
    await jon.click('Approve', { in: request });
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    await jon.seesChanged(request, 'Sent to the crew.');
  });

  it('a card whose posting seemed to fail is there all the same, as Slack tells of it', async () => {
    const { start, card, channelId, jon, maria, channel, run } = await world.fixture();
    const where = { channel: channelId, reply_broadcast: 'true' };
    world.slack.faults.add({ method: 'chat.postMessage', where, effect: { kind: 'apply-then-drop' } });
    const root = await start();
    const request = await card();
    await maria.seesChanged(root, `p${request.ts.replace('.', '')}`);
    await jon.click('Approve', { in: request });
    await jon.seesChanged(request, 'Sent to the crew.');
    await run('is completed', ({ status }) => status === 'completed');
    await maria.seesInThread(root, 'Finished.');
    expect((await maria.channel(channel)).filter(isCard)).toHaveLength(1);
  });

  it('a card whose posting failed is posted again, and mentions those who haven’t heard of it yet', async () => {
    const { start, card, channelId } = await world.fixture();
    const where = { channel: channelId, reply_broadcast: 'true' };
    world.slack.faults.add({ method: 'chat.postMessage', where, effect: { kind: 'drop' } });
    await start();
    const { ts } = await card();
    expect(world.slack.messages().find((each) => each.ts === ts)?.notifies).not.toEqual([]);
  });

  it('a message of which Slack tells too late is deleted where it has been posted again', async () => {
    const { start, card, maria } = await world.fixture();
    const root = await start();
    await card();
    const known = world.slack.messages().find(({ ts }) => ts === root.ts);
    const answer = await fetch(`${world.slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.slack.botToken}`, 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ channel: root.channel, text: 'The same.', metadata: known?.metadata }),
    });
    const { ts } = z.object({ ts: z.string() }).parse(await answer.json());
    const isThere = () => world.slack.messages().some((each) => each.ts === ts);
    await eventually(
      async () => (isThere() ? undefined : 'gone'),
      () => maria.screen(),
    );
    expect(world.slack.messages().some((each) => each.ts === root.ts)).toBe(true);
  });

  it('a card appears although its headings make more blocks than Slack takes', async () => {
    const output = 'Heading\n---\n\nText.\n\n'.repeat(23);
    const { start, approve, jon } = await world.fixture([{ name: 'draft', humanInput: true, output }]);
    await start();
    // https://github.com/metabase/metabase/pull/79908
    const request = await jon.waitFor('the card', (seen) => Object.values(seen.messages).flat().find(isCard));
    expect(visibleText(request).match(/Heading/g)).toHaveLength(23);
    await approve(request);
    await jon.seesChanged(request, 'Sent to the crew.');
    // The result of the run is refused likewise, but is no card.
    const refused = world.slack.calls().filter(({ error }) => error === 'msg_blocks_too_long');
    expect(refused.filter(({ request }) => JSON.stringify(request).includes('reply_broadcast'))).toHaveLength(1);
  });

  it('a private answer is a message where no modal can be opened', async () => {
    const { start, card, approve, maria, channel } = await world.fixture();
    await start();
    const request = await card();
    await maria.click('Reject…', { in: request });
    await maria.closeModal();
    await approve(request);
    const stale = await oldButtons(world.slack, request, [['approve', keyOf(request)]]);
    world.slack.faults.add({ method: 'views.open', effect: { kind: 'error', error: 'expired_trigger_id' } });
    await maria.click('approve', { in: stale });
    const told = await maria.seesPrivately(channel, 'already approved this');
    expect(told.threadTs).toBe(stale.threadTs);
  });
});

describe('a modal that Slack doesn’t take as designed', () => {
  it('opens with its text more plainly, or without it', async () => {
    const { start, card, jon } = await world.fixture([
      { name: 'draft', humanInput: true, output: `**Bold** words\n\n${'More words. '.repeat(1_000)}` },
    ]);
    await start();
    const request = await card();
    const refuse = (times: number) =>
      world.slack.faults.add({ method: 'views.open', effect: { kind: 'error', error: 'invalid_blocks' }, times });
    refuse(1);
    await jon.click('Review', { in: request });
    await jon.seesModal('Bold words');
    const opened = world.slack.calls().filter(({ name }) => name === 'views.open');
    expect(opened.slice(-2).map((call) => JSON.stringify(call).includes('rich_text'))).toEqual([true, false]);
    await jon.closeModal();
    refuse(1);
    await jon.click('Reject…', { in: request });
    expect(modalText(await jon.seesModal('What should change?'))).toContain('was left out');
  });
});

describe('a button of another time', () => {
  it('is answered privately, and changes nothing', async () => {
    const { start, card, jon, maria, channel, approve, requests } = await world.fixture();
    await start();
    const request = await card();
    const old = await oldButtons(world.slack, request, [
      'gone_long_ago',
      'approve',
      'reject',
      'send_again',
      'run_again',
      'read_all',
    ]);
    await jon.click('gone_long_ago', { in: old });
    await jon.seesModal('out of date');
    await jon.closeModal();
    for (const label of ['approve', 'reject', 'send_again', 'run_again', 'read_all']) {
      await jon.click(label, { in: old });
      await jon.seesModal('doesn’t have this');
      await jon.closeModal();
    }
    expect(await requests('resume')).toEqual([]);
    expect(await maria.privately(channel)).toEqual([]);
    await approve(request);
  });
});

describe.concurrent('an old button that stops tracking', () => {
  it('says of a run that has ended that there is nothing to track', async () => {
    const { start, card, approve, jon, maria } = await world.fixture();
    const root = await start();
    const request = await card();
    const old = await oldButtons(world.slack, request, [['stop_following', refOf(root)]]);
    await approve(request);
    await maria.seesInThread(root, 'Finished.');
    await jon.click('stop_following', { in: old });
    await jon.seesModal('has ended');
  });

  it('says who stopped before', async () => {
    const { start, card, jon, maria } = await world.fixture();
    const root = await start();
    const old = await oldButtons(world.slack, await card(), [['stop_following', refOf(root)]]);
    await stopTracking(maria, root);
    await jon.click('stop_following', { in: old });
    expect(modalText(await jon.seesModal('already stopped tracking'))).toMatch(/Maria the .*<!date\^/);
  });
});

describe('An app that Slack sends no events of messages', () => {
  let deaf: World;

  beforeAll(async () => {
    deaf = await startWorld({ fixtures: 1, scopes: DEFAULT_APP.scopes });
    await deaf.startBot();
  });
  afterAll(() => deaf.stop());

  it('a second copy of a card may appear, and a decision on either settles both', async () => {
    const { start, card, channelId, jon, maria, channel, run, resumes } = await deaf.fixture();
    const where = { channel: channelId, reply_broadcast: 'true' };
    deaf.slack.faults.add({ method: 'chat.postMessage', where, effect: { kind: 'apply-then-drop' } });
    await start();
    const first = await card();
    const second = await jon.waitFor('a second copy', (seen) =>
      seen.messages[channelId]?.findLast((each) => each.ts > first.ts && isCard(each)),
    );
    // The bot never learnt of the first one.
    await jon.click('Approve', { in: first });
    await maria.seesChanged(first, 'approved');
    await maria.seesChanged(second, 'approved');
    for (const copy of [first, second]) await maria.seesChanged(copy, 'Sent to the crew.');
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    expect(await resumes()).toHaveLength(1);
    expect((await maria.channel(channel)).filter(isCard)).toHaveLength(2);
  });
});

const isCard = (message: Message) => /Approval needed|approved this result/.test(visibleText(message));

/** What the menu of a root message carries. */
function refOf({ ts }: Message): string {
  const root = world.slack.messages().filter((each) => each.ts === ts);
  return /"stop_following ([\w-]+)"/.exec(JSON.stringify(root))?.[1] ?? '';
}

/** What the buttons of a pending card carry. */
function keyOf(card: Message): string {
  const found = /"value":("(?:[^"\\]|\\.)*approvalId(?:[^"\\]|\\.)*")/.exec(JSON.stringify(card.blocks));
  return JSON.parse(found?.[1] ?? '""');
}
