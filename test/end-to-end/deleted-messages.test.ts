import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Stage } from '../support/stage.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  // Only this one tells of tasks.
  world = await startWorld({ stages: 8, dialect: 'observed' });
  await world.startBot();
});
afterAll(() => world.stop());

const messagesIn = ({ channelId }: Stage) =>
  world.slack.messages().filter(({ channel, onlyFor }) => channel === channelId && onlyFor === undefined);

/** What stands in the channel itself, in no thread. */
const outsideThreads = (stage: Stage) => messagesIn(stage).filter(({ ts, threadTs = ts }) => threadTs === ts);

/** An admin deletes all messages of the thread, the last one first as Slack's own cleaners do. */
function deleteThread(stage: Stage, root: Message): void {
  for (const message of messagesIn(stage).reverse())
    if ((message.threadTs ?? message.ts) === root.ts) world.slack.deleteMessage(message);
}

/** Resolves when all of a run's first round is posted: what was still on its way would open the new thread before the card. */
async function wholeThread(stage: Stage): Promise<Message> {
  const root = await stage.start();
  for (const words of ['Three sources were read', 'is done · Writer']) await stage.maria.seesInThread(root, words);
  await stage.linkedCard();
  return root;
}

const isOver = (stage: Stage) => stage.run('is completed', ({ status }) => status === 'completed');

describe.concurrent('when somebody deletes', () => {
  it('the card of an open request, it comes back for whoever asks what is open', async () => {
    const stage = await world.stage();
    await stage.start();
    const deleted = await stage.linkedCard();
    world.slack.deleteMessage(deleted);
    await stage.jon.command(stage.channel, '/kickoff status');
    const again = await stage.jon.waitFor('the card once more', (seen) =>
      seen.messages[stage.channelId]?.find(({ ts, broadcast }) => broadcast && ts !== deleted.ts),
    );
    await stage.approve(again);
    await stage.jon.seesChanged(again, 'has been told');
    expect((await isOver(stage)).reviews).toHaveLength(1);
    expect(messagesIn(stage).filter(({ broadcast }) => broadcast)).toHaveLength(1);
  });

  it('nothing, asking what is open leaves the card where it is', async () => {
    const stage = await world.stage();
    await stage.start();
    const card = await stage.card();
    await stage.jon.command(stage.channel, '/kickoff status');
    await stage.approve(card);
    await isOver(stage);
    expect(messagesIn(stage).filter(({ broadcast }) => broadcast)).toHaveLength(1);
  });

  it('a card just when it was decided, the decision reaches the crew all the same', async () => {
    const stage = await world.stage();
    const root = await stage.start();
    const card = await stage.card();
    await stage.jon.click('Approve', { in: card });
    world.slack.deleteMessage(card);
    expect((await isOver(stage)).reviews).toHaveLength(1);
    await stage.maria.seesInThread(root, 'is done, after');
    expect(await stage.resumes()).toHaveLength(1);
  });

  it('the first message, its thread goes on', async () => {
    const stage = await world.stage();
    const root = await stage.start();
    const card = await stage.card();
    world.slack.deleteMessage(root);
    await stage.approve(card);
    await stage.maria.seesInThread(root, 'is done, after');
    expect(outsideThreads(stage)).toMatchObject([{ ts: root.ts, tombstone: true }]);
  });

  it('the news of a task, nobody minds', async () => {
    const stage = await world.stage();
    const root = await stage.start();
    const card = await stage.card();
    world.slack.deleteMessage(await stage.maria.seesInThread(root, 'Three sources were read'));
    await stage.approve(card);
    await stage.maria.seesInThread(root, 'is done, after');
  });

  it('a whole thread before the decision, it goes on under a single new message', async () => {
    const stage = await world.stage();
    const root = await wholeThread(stage);
    deleteThread(stage, root);
    expect(outsideThreads(stage)).toEqual([]);
    await stage.jon.command(stage.channel, '/kickoff status');
    const again = await stage.card();
    expect(again.threadTs).toBeUndefined();
    await stage.known(again);
    await stage.reject(again, 'shorter');
    const second = await stage.jon.sees(stage.channel, 'Round 2');
    expect(second.threadTs).toBe(again.ts);
    await stage.approve(second);
    await stage.maria.seesInThread(again, 'is done, after');
    expect(outsideThreads(stage)).toHaveLength(1);
    expect((await isOver(stage)).reviews).toHaveLength(2);
  });

  it('a whole thread after the decision, its end is told in the channel', async () => {
    const stage = await world.stage();
    await stage.plays([
      { name: 'draft', agent: 'Writer', humanInput: true, output: '# Draft {{round}}' },
      { name: 'publish', agent: 'Publisher', output: 'Published: the article about tea.', hold: 'the deletion' },
    ]);
    const root = await stage.start();
    await stage.approve(await stage.card());
    await stage.jon.sees(stage.channel, 'has been told');
    await stage.maria.seesInThread(root, 'is done · Writer');
    deleteThread(stage, root);
    await world.crews.sandbox.openGate('the deletion');
    await isOver(stage);
    await stage.maria.waitFor('the result', (seen) =>
      seen.messages[stage.channelId]?.find((each) => visibleText(each).includes('is done, after')),
    );
    // What was posted at the same moment was meant for the same thread.
    expect(outsideThreads(stage).length).toBeLessThanOrEqual(2);
  });

  it('a whole thread, and Slack refuses replies to it, they go on under a single new message as well', async () => {
    const stage = await world.stage();
    const root = await wholeThread(stage);
    deleteThread(stage, root);
    const where = { channel: stage.channelId, thread_ts: root.ts };
    const effect = { kind: 'error', error: 'thread_not_found' } as const;
    world.slack.faults.add({ method: 'chat.postMessage', where, times: 99, effect });
    await stage.jon.command(stage.channel, '/kickoff status');
    const again = await stage.card();
    await stage.known(again);
    await stage.approve(again);
    await stage.maria.seesInThread(again, 'is done, after');
    expect(outsideThreads(stage)).toHaveLength(1);
  });
});
