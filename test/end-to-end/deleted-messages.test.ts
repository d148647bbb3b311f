import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Fixture } from '../support/fixture.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  // Only this one tells of tasks.
  world = await startWorld({ fixtures: 8, dialect: 'observed' });
  await world.startBot();
});
afterAll(() => world.stop());

const messagesIn = ({ channelId }: Fixture) =>
  world.slack.messages().filter(({ channel, onlyFor }) => channel === channelId && onlyFor === undefined);

/** What stands in the channel itself, in no thread. */
const outsideThreads = (fixture: Fixture) => messagesIn(fixture).filter(({ ts, threadTs = ts }) => threadTs === ts);

/** An admin deletes all messages of the thread, the last one first as Slack's own cleaners do. */
function deleteThread(fixture: Fixture, root: Message): void {
  for (const message of messagesIn(fixture).reverse())
    if ((message.threadTs ?? message.ts) === root.ts) world.slack.deleteMessage(message);
}

/** Resolves when all of a run's first round is posted: what was still on its way would open the new thread before the card. */
async function wholeThread(fixture: Fixture): Promise<Message> {
  const root = await fixture.start();
  await fixture.maria.seesInThread(root, 'Three sources were read');
  await fixture.linkedCard();
  return root;
}

const isOver = (fixture: Fixture) => fixture.run('is completed', ({ status }) => status === 'completed');

describe.concurrent('A deletion of', () => {
  it('the card of an open request: it comes back, and mentions nobody again', async () => {
    const fixture = await world.fixture();
    await fixture.start();
    const deleted = await fixture.linkedCard();
    world.slack.deleteMessage(deleted);
    const again = await fixture.jon.waitFor('the card once more', (seen) =>
      seen.messages[fixture.channelId]?.find(({ ts, broadcast }) => broadcast && ts !== deleted.ts),
    );
    expect(messagesIn(fixture).find(({ ts }) => ts === again.ts)?.notifies).toEqual([]);
    await fixture.approve(again);
    await fixture.jon.seesChanged(again, 'Sent to the crew.');
    expect((await isOver(fixture)).reviews).toHaveLength(1);
    expect(messagesIn(fixture).filter(({ broadcast }) => broadcast)).toHaveLength(1);
  });

  it('a card just after the click: the decision still reaches the crew', async () => {
    const fixture = await world.fixture();
    const root = await fixture.start();
    const card = await fixture.card();
    await fixture.jon.click('Approve', { in: card });
    world.slack.deleteMessage(card);
    expect((await isOver(fixture)).reviews).toHaveLength(1);
    await fixture.maria.seesInThread(root, 'Finished.');
    expect(await fixture.resumes()).toHaveLength(1);
  });

  it('the first message: its thread goes on', async () => {
    const fixture = await world.fixture();
    const root = await fixture.start();
    const card = await fixture.card();
    world.slack.deleteMessage(root);
    await fixture.approve(card);
    await fixture.maria.seesInThread(root, 'Finished.');
    expect(outsideThreads(fixture)).toMatchObject([{ ts: root.ts, tombstone: true }]);
  });

  it('the message about a task: nothing else changes', async () => {
    const fixture = await world.fixture();
    const root = await fixture.start();
    const card = await fixture.card();
    world.slack.deleteMessage(await fixture.maria.seesInThread(root, 'Three sources were read'));
    await fixture.approve(card);
    await fixture.maria.seesInThread(root, 'Finished.');
  });

  it('a whole thread before the decision: it goes on under one new message', async () => {
    const fixture = await world.fixture();
    const root = await wholeThread(fixture);
    deleteThread(fixture, root);
    expect(outsideThreads(fixture)).toEqual([]);
    const again = await fixture.card();
    expect(again.threadTs).toBeUndefined();
    await fixture.known(again);
    await fixture.reject(again, 'shorter');
    const second = await fixture.jon.sees(fixture.channel, 'Round 2');
    expect(second.threadTs).toBe(again.ts);
    await fixture.approve(second);
    await fixture.maria.seesInThread(again, 'Finished.');
    expect(outsideThreads(fixture)).toHaveLength(1);
    expect((await isOver(fixture)).reviews).toHaveLength(2);
  });

  it('a whole thread after the decision: its result is posted to the channel', async () => {
    const fixture = await world.fixture();
    await fixture.setTasks([
      { name: 'draft', agent: 'Writer', humanInput: true, output: '# Draft {{round}}' },
      { name: 'publish', agent: 'Publisher', output: 'Published: the article about tea.', hold: 'the deletion' },
    ]);
    const root = await fixture.start();
    await fixture.approve(await fixture.card());
    await fixture.jon.sees(fixture.channel, 'Sent to the crew.');
    deleteThread(fixture, root);
    await world.crews.sandbox.openGate('the deletion');
    await isOver(fixture);
    await fixture.maria.waitFor('the result', (seen) =>
      seen.messages[fixture.channelId]?.find((each) => visibleText(each).includes('Finished.')),
    );
    // What was posted at the same moment was meant for the same thread.
    expect(outsideThreads(fixture).length).toBeLessThanOrEqual(2);
  });

  it('a whole thread, with Slack refusing replies to it: they go on under one new message', async () => {
    const fixture = await world.fixture();
    const root = await wholeThread(fixture);
    const where = { channel: fixture.channelId, thread_ts: root.ts };
    const effect = { kind: 'error', error: 'thread_not_found' } as const;
    world.slack.faults.add({ method: 'chat.postMessage', where, times: 99, effect });
    deleteThread(fixture, root);
    const again = await fixture.card();
    await fixture.known(again);
    await fixture.approve(again);
    await fixture.maria.seesInThread(again, 'Finished.');
    expect(outsideThreads(fixture)).toHaveLength(1);
  });
});
