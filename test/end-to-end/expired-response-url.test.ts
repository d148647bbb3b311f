import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Bot } from '../../src/bot/bot.ts';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { FaultEffect } from '../../src/sandbox/slack-workspace/runtime/faults.ts';
import { readableLog } from '../crew/crew-values.ts';
import { scrape } from '../support/scrape.ts';
import { startWorld, type World } from '../support/world.ts';

const REFUSED = 'Slack did not take the answer to a command';
const NO_MODAL = expect.objectContaining({ level: 40, msg: 'could not open a modal' });
const { log, warnings, text: logged } = readableLog();

let world: World;
let bot: Bot;

beforeAll(async () => {
  world = await startWorld({ fixtures: 3 });
  bot = await world.startBot({ log });
});
afterAll(() => world.stop());
beforeEach(() => world.slack.faults.clear());

const fails = (method: string, effect: FaultEffect) => world.slack.faults.add({ method, effect });

/** A form that can't be opened any more is answered by a message, after the acknowledgement. */
const opensNoModal = () => fails('views.open', { kind: 'error', error: 'expired_trigger_id' });

const metric = async (name: string) => (await scrape(bot.port)).get(name) ?? 0;

const answers = (outcome: string) => metric(`signoff_slack_calls_total{method="response_url",outcome="${outcome}"}`);

it('an answer that comes after the acknowledgement goes to the response_url', async () => {
  const { maria, channel, types } = await world.fixture();
  const before = warnings().length;
  opensNoModal();
  await types('topic=tea nothing=known');
  await maria.seesPrivately(channel, 'took too long');
  await expect.poll(() => answers('ok')).toBe(1);
  expect(warnings().slice(before)).toEqual([NO_MODAL]);
});

it('the person sees it in the channel when the response_url has expired', async () => {
  const { maria, jon, channel, types } = await world.fixture();
  const before = warnings().length;
  opensNoModal();
  fails('response_url', { kind: 'status', status: 404 });
  await types('topic=tea nothing=known');
  await maria.seesPrivately(channel, 'took too long');
  expect(await jon.privately(channel)).toEqual([]);
  expect(warnings().slice(before)).toEqual([
    NO_MODAL,
    expect.objectContaining({ level: 40, msg: REFUSED, status: 404, reason: 'http_404' }),
  ]);
  expect(await answers('refused')).toBe(1);
  expect(await metric('signoff_faults_total{where="slack"}')).toBe(0);
});

/** Also those in the direct message with the bot. */
function seesAnywhere(person: Person, wanted: string) {
  return person.waitFor(`“${wanted}” anywhere`, (seen) =>
    Object.values(seen.messages)
      .flat()
      .find((message) => visibleText(message).includes(wanted)),
  );
}

it('the person gets a direct message where the bot may not write either', async () => {
  const maria = world.slack.as('maria');
  const [before, refused] = [warnings().length, await answers('refused')];
  opensNoModal();
  fails('response_url', { kind: 'status', status: 404 });
  await maria.command('#leadership', '/kickoff', 'connect crew-1');
  const told = await seesAnywhere(maria, 'so nothing could be opened');
  expect([told.ephemeral, await maria.privately('#leadership')]).toEqual([false, []]);
  expect(warnings().slice(before)).toEqual([
    NO_MODAL,
    expect.objectContaining({ level: 40, msg: REFUSED, status: 404 }),
  ]);
  expect(await answers('refused')).toBe(refused + 1);
});

it('a person who can’t be told in any way is in the log, and the bot goes on', async () => {
  const { maria, channel, types } = await world.fixture();
  const before = warnings().length;
  opensNoModal();
  fails('response_url', { kind: 'drop' });
  fails('chat.postEphemeral', { kind: 'error', error: 'internal_error' });
  fails('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
  await types('topic=tea nothing=known');
  await expect
    .poll(() => warnings().slice(before))
    .toEqual([
      NO_MODAL,
      expect.objectContaining({ level: 40, msg: REFUSED, status: null }),
      expect.objectContaining({ level: 40, msg: 'could not tell a person anything at all' }),
    ]);
  expect(await answers('no-answer')).toBe(1);
  expect(await metric('signoff_faults_total{where="slack"}')).toBe(0);
  expect(logged()).not.toContain('/response/');
  await maria.command(channel, '/kickoff', 'help');
  await maria.seesPrivately(channel, '/kickoff status');
});
