import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { stopTracking } from '../support/stop-tracking.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ fixtures: 12, dialect: 'observed' });
  await world.startBot();
});
afterAll(() => world.stop());

const notifiedIn = (channel: string) =>
  world.slack.messages().flatMap((message) => (message.channel === channel ? message.notifies : []));
const replies = (messages: Message[]) => messages.map((message) => visibleText(message).split('\n')[0]);

describe.concurrent('the thread of a run', () => {
  it('shows in its root what is going on, and in its replies what came of each task', async () => {
    const { setTasks, start, maria, jon, card, approve, channelId, crew, sent } = await world.fixture();
    await world.crews.sandbox.shutGate(`${crew}-read`);
    await setTasks([
      {
        name: 'read',
        agent: 'Reader',
        output: `Read it all.${' And more.'.repeat(30)} The end.`,
        steps: 30,
        hold: `${crew}-read`,
      },
      { name: 'draft', agent: 'Writer', output: 'A draft.', humanInput: true },
      { name: 'print', agent: 'Printer', output: 'Printed it.', steps: 2 },
    ]);
    const root = await start('topic="a very long topic"');
    for (const words of [crew, 'a very long topic', 'Maria the', 'Running']) await maria.seesChanged(root, words);
    await maria.seesStatus(root, 'is using script…');
    await sent('step', 30);
    await maria.click('Activity', { in: root });
    await maria.seesModal('Result of step 30');
    await maria.closeModal();
    await world.crews.sandbox.openGate(`${crew}-read`);

    const task = await maria.seesInThread(root, 'Read it all.');
    for (const words of ['read', 'Reader']) await maria.seesChanged(task, words);
    expect(visibleText(task)).not.toContain('The end.');
    await maria.click('Review', { in: task });
    expect(modalText(await maria.seesModal('The end.'))).not.toMatch(/\[Approve|\[Skip/);
    await maria.closeModal();

    const request = await card();
    await maria.seesChanged(root, 'Waiting');
    await maria.seesChanged(root, /1 (of 3 tasks|task) done/);
    await maria.seesChanged(root, `p${request.ts.replace('.', '')}`);
    const shown = (await maria.channel(`#${root.channel}`.slice(1))).filter(({ ephemeral }) => !ephemeral);
    expect(shown.map(({ ts }) => ts)).toEqual([root.ts, request.ts]);
    expect(request.broadcast).toBe(true);
    await approve(request);

    const result = await maria.seesInThread(root, /Finished\.(.|\n)*Printed it/);
    // It leads to the result, and the tasks are a plan.
    await maria.seesChanged(root, new RegExp(`Completed(.|\\n)*p${result.ts.replace('.', '')}(.|\\n)*took`));
    expect(await maria.status(root)).toBeUndefined();
    const said = replies(await maria.thread(root));
    // The draft is on its card, and what was printed is the result.
    expect(said).toHaveLength(3);
    for (const words of ['*read* is done', 'approved this result', 'Finished.'])
      expect(said.join('\n')).toContain(words);
    expect(visibleText((await maria.now(root)) ?? root)).not.toContain('Open the approval');
    // By the card and by the end.
    expect(notifiedIn(channelId)).toEqual([maria.id, maria.id]);
    expect(result.notifies).toEqual([maria.id]);
    expect(await jon.privately(`#${root.channel}`.slice(1))).toEqual([]);
  });

  it('says what happened and what to do when the crew fails, and mentions the starter once', async () => {
    const { setTasks, start, maria, channelId } = await world.fixture();
    await setTasks([{ name: 'only', fails: 'The printer is on fire <!channel>', output: '' }]);
    const root = await start();
    const failure = await maria.seesInThread(root, 'The printer is on fire');
    expect(visibleText(failure)).toContain('Run it again');
    expect(failure.notifies).toEqual([maria.id]);
    await maria.seesChanged(root, 'Failed');
    expect(notifiedIn(channelId)).toEqual([maria.id]);
    await maria.click('Run again', { in: failure });
    await maria.seesModal('topic');
  });

  it('never shows more than a few posts for a run of many steps', async () => {
    const { setTasks, start, maria, channelId } = await world.fixture();
    await setTasks([{ name: 'busy', steps: 150, output: 'Done.' }]);
    const root = await start();
    await maria.seesChanged(root, 'Completed');
    const ofThisRun = world.slack.calls().filter(({ request }) => JSON.stringify(request).includes(channelId));
    expect(ofThisRun.filter(({ name }) => name === 'chat.postMessage').length).toBeLessThanOrEqual(3);
    expect(ofThisRun.filter(({ name }) => name === 'chat.update').length).toBeLessThanOrEqual(8);
  });
});

describe.concurrent('*Stop tracking…*', () => {
  it('takes the status of the thread away', async () => {
    const { setTasks, start, maria, crew } = await world.fixture();
    await world.crews.sandbox.shutGate(`${crew}-read`);
    await setTasks([{ name: 'read', steps: 3, output: 'x', hold: `${crew}-read` }]);
    const root = await start();
    await maria.seesStatus(root, 'is using script…');
    await stopTracking(maria, root);
    await maria.waitFor(
      'no status',
      ({ statuses }) => !statuses.some(({ threadTs }) => threadTs === root.ts) || undefined,
    );
    await world.crews.sandbox.openGate(`${crew}-read`);
  });

  it('can be taken back: the approval waits again, and its decision is sent', async ({ expect }) => {
    const { start, maria, jon, card, approve, run, channel } = await world.fixture();
    const root = await start();
    const request = await card();
    await stopTracking(jon, root);
    await maria.seesChanged(root, 'No longer tracked');
    const offersApproval = async () => JSON.stringify((await maria.now(request))?.blocks).includes('"Approve"');
    await expect.poll(offersApproval, { timeout: 10_000 }).toBe(false);
    await jon.command(channel, '/kickoff', 'status');
    const status = visibleText(await jon.seesPrivately(channel, '1 no longer tracked'));
    expect(status).toMatch(/was waiting for approval.*Jon the.*stopped tracking/);
    await maria.click('Track again', { in: root });
    await maria.seesChanged(root, 'Waiting for approval');
    await expect.poll(offersApproval, { timeout: 10_000 }).toBe(true);
    await approve(request);
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
  });

  it('asks in a window, then ends cards, updates and polls, and says that the crew may go on', async () => {
    const { start, maria, jon, card, channel, crew, asked, requests, run } = await world.fixture();
    const root = await start();
    const request = await card();
    await maria.seesInThread(root, 'Three sources were read');
    await jon.click('Stop tracking…', { in: root });
    const question = modalText(await jon.seesModal('Stop tracking?'));
    for (const words of [`*${crew}* keeps running.`, '[Stop tracking]', '[Keep tracking]'])
      expect(question).toContain(words);
    await jon.back();
    expect(visibleText((await maria.now(root)) ?? root)).not.toContain('No longer tracked');
    await stopTracking(jon, root);
    await maria.seesChanged(root, 'may still be running');
    expect(visibleText((await maria.now(root)) ?? root)).toContain('Jon the');
    await maria.seesChanged(request, 'was stopped before anybody decided');
    expect(JSON.stringify((await maria.now(request))?.blocks)).not.toContain('"Approve"');
    const asking = (await requests('status')).length;

    // The crew goes on elsewhere, and nothing of it is shown.
    const { executionId, taskId } = await run('waits', ({ status }) => status === 'waiting');
    await fetch(`${world.crews.baseUrlOf(`crew-${channel.split('-')[1]}`)}/resume`, {
      method: 'POST',
      headers: { authorization: 'Bearer token-of-the-organisation', 'content-type': 'application/json' },
      body: JSON.stringify({ executionId, taskId, humanFeedback: 'ok', isApprove: true }),
    });
    await run('is completed', ({ status }) => status === 'completed');
    await asked('resume', 1);
    await jon.command(channel, '/kickoff', 'status');
    // As far as anybody told us, it still waits.
    expect(visibleText(await jon.seesPrivately(channel, '1 no longer tracked'))).toContain('was waiting for approval');
    expect((await requests('status')).length).toBe(asking);
    expect(replies(await maria.thread(root)).sort()).toEqual([
      expect.stringContaining('Approval closed'),
      expect.stringContaining('research'),
    ]);
  });

  it('still delivers the decision that was made before', async () => {
    const { start, jon, maria, card, addFault, asked, run } = await world.fixture();
    await addFault({ route: 'resume', respond: { status: 503, headers: { 'retry-after': '2' } } });
    const root = await start();
    const request = await card();
    await jon.click('Approve', { in: request });
    await asked('resume', 1);
    await stopTracking(maria, root);
    expect((await run('is completed', ({ status }) => status === 'completed')).reviews).toHaveLength(1);
    await maria.seesChanged(request, 'Sent to the crew.');
  });
});
