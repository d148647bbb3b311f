import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import type { Fixture } from '../support/fixture.ts';
import { installedApp } from '../support/installed-app.ts';
import { startWorld, type World } from '../support/world.ts';

// A text that the pages can't hold, and that Slack doesn't take as a file.

let world: World;
beforeAll(async () => {
  world = await startWorld({ fixtures: 2 });
  await world.startBot();
});
afterAll(() => world.stop());

const LONG = Array.from({ length: 6_000 }, (_, i) => `Line number ${i + 1} of the report.`).join('\n');

/** All of it can be read in parts, which begin with why there is no file. */
async function readsInParts({ jon, request }: Pick<Fixture, 'jon'> & { request: Message }, why: string) {
  await jon.click('Review', { in: request });
  const first = modalText(await jon.seesModal('Part 1 of 2'));
  expect(first).toContain(why);
  expect(first).not.toContain('attached as a file in the thread');
  const pages = Number(/Page 1 of (\d+)/.exec(first)?.[1]);
  for (let number = 2; number <= pages; number++) {
    await jon.click('Next');
    await jon.seesModal(`Page ${number} of ${pages}`);
  }
  await jon.click('Next');
  await jon.seesModal('Part 2 of 2');
  await jon.click('Next');
  await jon.seesModal('Page 2 of');
  await jon.closeModal();
}

it('A text that Slack refuses as a file is read in parts, which say that Slack hasn’t taken it yet', async () => {
  await readsInParts(await refusing('internal_error'), 'Slack hasn’t taken it as a file yet');
});

it('A text that can’t be attached says that the bot has to be invited, and is attached then', async () => {
  const fixture = await refusing('not_in_channel');
  const { maria, jon, channel, root, request } = fixture;
  await maria.command(channel, '/remove @signoff');
  await readsInParts(fixture, 'Type /invite @signoff in the channel');
  world.slack.faults.clear();
  await maria.command(channel, '/invite @signoff');
  await maria.seesInThread(root, '[file');
  await jon.click('Review', { in: request });
  expect(modalText(await jon.seesModal('Page 1 of'))).not.toContain('Part 1 of');
  await jon.closeModal();
});

/** A request whose text Slack refuses as a file. */
async function refusing(error: string) {
  world.slack.faults.clear();
  world.slack.faults.add({ method: 'files.completeUploadExternal', effect: { kind: 'error', error }, times: 1_000 });
  const fixture = await world.fixture([{ name: 'draft', agent: 'Writer', humanInput: true, output: LONG }]);
  const root = await fixture.start();
  const request = await fixture.card();
  const refusals = () => world.slack.calls().filter((call) => call.error === error).length;
  await expect.poll(refusals).toBeGreaterThan(0);
  return { ...fixture, root, request };
}

it('A text that can’t be attached says that the app lacks the scope', async () => {
  const { scopes } = installedApp();
  const other = await startWorld({ fixtures: 1, scopes: scopes.filter((each) => each !== 'files:write') });
  await other.startBot();
  const fixture = await other.fixture([{ name: 'draft', agent: 'Writer', humanInput: true, output: LONG }]);
  await fixture.start();
  await fixture.jon.click('Review', { in: await fixture.card() });
  expect(modalText(await fixture.jon.seesModal('Part 1 of 2'))).toContain('the Slack app lacks the scope files:write');
  await other.stop();
});

// https://docs.slack.dev/reference/methods/files.completeUploadExternal#errors
it('A text isn’t uploaded to a public channel that the bot isn’t in, and is once somebody has invited it', async () => {
  const outside = await startWorld({
    scopes: installedApp(['chat:write.public']).scopes,
    crews: [
      {
        name: 'reports',
        settings: { channel: 'random' },
        tasks: [{ name: 'draft', agent: 'Writer', humanInput: true, output: LONG }],
      },
    ],
  });
  await outside.startBot();
  const maria = outside.slack.as('maria');
  await maria.command('#random', '/kickoff', 'reports topic=tea');
  const root = await maria.sees('#random', 'reports');
  await maria.seesInThread(root, 'Approval needed');
  const calls = () => outside.slack.calls().map(({ name }) => name);
  await expect.poll(() => calls().slice(calls().lastIndexOf('chat.postMessage'))).toContain('conversations.info');
  expect(calls().filter((name) => name.startsWith('files.'))).toEqual([]);
  await maria.command('#random', '/invite @signoff');
  await maria.seesInThread(root, '[file');
  await outside.stop();
});
