import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../src/sandbox/slack-workspace/driver/person.ts';
import { eventually } from '../../src/sandbox/slack-workspace/driver/queries.ts';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { freePort } from '../../src/setup/free-port.ts';
import { backUp, restore } from '../support/backup.ts';
import { asksForInput } from '../support/human-input.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { startWorld, type World } from '../support/world.ts';

const CHANNEL = '#releases';
const CREWS = ['card', 'menu', 'direct', 'note', 'changes', 'batch', 'old', 'row'];
const APPROVERS = ['UJON00002', 'UAIKO0003', 'UPRIYA004'];
const SAID = 'The text has changed since.';

let world: World;
const cards: Record<string, Message> = {};
let direct: Message;

const as = (handle: string) => world.slack.as(handle);
const resumes = async (crew: string) =>
  (await world.crews.sandbox.requests()).flatMap((each) =>
    each.crew === crew && each.route === 'resume' ? [each.body] : [],
  );

async function asks(crew: string, taskId: string, text: string): Promise<Message> {
  const output = `${text} Asked by ${crew}.`;
  await asksForInput(world.crews, crew, { task_id: taskId, task_output: output });
  return as('maria').sees(CHANNEL, output);
}

function cardOf(crew: string): Message {
  const card = cards[crew];
  if (!card) throw new Error(`${crew} has no card`);
  return card;
}

/** What the crew is told after a person did something, unless the person is told first why nothing happened. */
async function toldAfter(crew: string, person: Person, act: Promise<void>): Promise<string[]> {
  await act;
  return eventually(
    async () => {
      const told = await resumes(crew);
      const isRefused = (await person.snapshot()).modals.some((each) => modalText(each).includes(SAID));
      return told.length > 0 || isRefused ? told : undefined;
    },
    async () => `nothing came of it\n${await person.screen()}`,
  );
}

beforeAll(async () => {
  const held = [{ name: 'work', output: 'Done.', hold: 'the whole time' }];
  world = await startWorld({
    crews: CREWS.map((name) => ({
      ...{ name, tasks: held },
      settings: {
        channel: 'releases',
        approval: { approvers: APPROVERS },
        ...(name === 'direct' && { notify: 'dm' }),
      },
    })),
    seed: (seed) => ({
      ...seed,
      channels: seed.channels.map((each) =>
        each.name === 'releases' ? { ...each, members: [...(each.members ?? []), 'priya'] } : each,
      ),
    }),
  });
  await world.crews.sandbox.shutGate('the whole time');
  const port = await freePort();
  const bot = await world.startBot({ port });
  for (const crew of CREWS) {
    await as('maria').command(CHANNEL, `/kickoff ${crew} topic=tea`);
    await as('maria').sees(CHANNEL, new RegExp(`\\b${crew}\\b.*Stop tracking…`, 's'));
  }
  const redis = new Redis(world.redis.socketPath);
  const backup = await backUp(redis);

  for (const crew of CREWS) cards[crew] = await asks(crew, 'one', 'Ship it on Friday.');
  direct = await as('jon').sees('Signoff', /Ship it on Friday\. Asked by direct\./);
  await as('jon').click('Approve with note…', { in: cardOf('note') });
  await as('jon').fill('Note for the crew', 'Good.');
  await as('priya').click('Reject…', { in: cardOf('changes') });
  await as('priya').fill('What should change?', 'Make it Thursday.');
  for (const handle of ['aiko', 'priya']) await as(handle).openHome();
  await as('priya').seesHome('*row*');
  await as('aiko').choose('All crews', 'batch', { in: 'home' });
  await as('aiko').seesHome('[Show everything]');
  await as('aiko').click('Select all on this page', { in: 'home' });
  await as('aiko').seesHome('1 selected');
  await as('aiko').click('Approve 1 selected…', { in: 'home' });
  await as('aiko').seesModal('Ship it on Friday. Asked by batch.');

  await bot.stop();
  await restore(redis, backup);
  redis.disconnect();
  await world.startBot({ port });
  for (const crew of CREWS) await asks(crew, 'another', 'Ship it on Monday.');
}, 120_000);
afterAll(() => world.stop());

describe('A text that nobody has seen, under an id that a restored backup uses again, is decided by none of these', () => {
  it('an approval with a note whose window was left open', async () => {
    const jon = as('jon');
    expect(await toldAfter('note', jon, jon.submit())).toEqual([]);
    expect(modalText(await jon.seesModal(SAID))).toMatch(/Open the approval.*Good\./s);
    await jon.closeModal();
  });

  it('feedback whose window was left open', async () => {
    const priya = as('priya');
    expect(await toldAfter('changes', priya, priya.submit())).toEqual([]);
    expect(modalText(await priya.seesModal(SAID))).toMatch(/Make it Thursday\./);
    await priya.closeModal();
  });

  it('the card of before', async () => {
    const jon = as('jon');
    const card = cardOf('card');
    expect(await toldAfter('card', jon, jon.click('Approve', { in: card }))).toEqual([]);
    expect(modalText(await jon.seesModal(SAID))).toMatch(/Open the approval/);
    await jon.closeModal();
    // It shows at once what waits, so that the next click is about that.
    await jon.click('Approve', { in: await jon.seesChanged(card, 'Ship it on Monday. Asked by card.') });
    await jon.seesChanged(card, 'Jon Bell approved');
  });

  it('the row of a Home of before', async () => {
    const priya = as('priya');
    const click = priya.click('Approve', { in: 'home', from: '*row*' });
    expect(await toldAfter('row', priya, click)).toEqual([]);
    expect(modalText(await priya.seesModal(SAID))).toMatch(/Open the approval/);
    await priya.closeModal();
    // It shows at once what waits, so that the next click is about that.
    await priya.seesHome(/Ship it on Monday\. Asked by row\./);
    await priya.click('Approve', { in: 'home', from: '*row*' });
    await priya.seesHome(/You approved \*row\*/);
  });

  it('the menu of the card of before', async () => {
    const jon = as('jon');
    await jon.click('Approve with note…', { in: cardOf('menu') });
    expect(modalText(await jon.seesModal(/The text has changed|Note for the crew/))).toContain(SAID);
    await jon.closeModal();
  });

  it('the direct message of before', async () => {
    const jon = as('jon');
    expect(await toldAfter('direct', jon, jon.click('Approve', { in: direct }))).toEqual([]);
    await jon.seesModal(SAID);
    await jon.closeModal();
  });

  it('a review of several whose window was left open, which names the reason', async () => {
    const aiko = as('aiko');
    await aiko.submit();
    const told = modalText(await aiko.seesModal('Left out'));
    expect(told).toContain(SAID);
    expect(await resumes('batch')).toEqual([]);
  });
});

it('A button of a version that named no text decides nothing unseen', async () => {
  const jon = as('jon');
  const card = await jon.sees(CHANNEL, 'Ship it on Monday. Asked by old.');
  const [ref] = /"ref\W+[a-z0-9]+/.exec(JSON.stringify(card.blocks)) ?? [];
  const value = JSON.stringify({ ref: ref?.match(/[a-z0-9]+$/)?.[0], approvalId: '1' });
  const stale = await oldButtons(world.slack, card, [['approve', value]]);
  expect(await toldAfter('old', jon, jon.click('approve', { in: stale }))).toEqual([]);
  await jon.seesModal(SAID);
  await jon.closeModal();
  await jon.click('Approve', { in: await jon.seesChanged(stale, 'Ship it on Monday. Asked by old.') });
  await jon.seesChanged(stale, 'Jon Bell approved');
});
