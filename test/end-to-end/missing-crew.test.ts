import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText, visibleText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { eventually } from '../redis/store-under-test.ts';
import type { FollowedRun } from '../support/followed-run.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { DRAFT } from '../support/world.ts';

const NOT_SET_UP = 'isn’t set up in Signoff at the moment';

let world: PolicyWorld;

beforeAll(async () => {
  world = await startPolicyWorld({
    crews: { waits: { approvers: ['UJON00002'] }, kept: {}, pair: { quorum: 2 }, asks: {}, stays: {} },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);

/** The resumes of a crew, with the status that each was answered with. */
async function resumesOf(crew: string): Promise<number[]> {
  const sent = (await world.crews.sandbox.requests()).filter((each) => each.crew === crew && each.route === 'resume');
  return sent.map(({ answer }) => (typeof answer === 'object' ? answer.status : 0));
}

const accepted = async (crew: string) => (await resumesOf(crew)).filter((status) => status === 200).length;

/** Which buttons of a card a person sees now. */
async function buttonsOf({ card }: FollowedRun): Promise<string> {
  const found = world.slack.messages().find(({ channel, ts }) => channel === card.channel && ts === card.ts);
  return (
    JSON.stringify(found?.blocks)
      .match(/"action_id":"[a-z_]+"/g)
      ?.join(' ') ?? ''
  );
}

it('A request of a crew that was removed says so, is kept, and goes on once when the crew is back', async () => {
  const [waits, kept] = [await world.run('waits'), await world.run('kept')];
  const [pair, stays] = [await world.run('pair'), await world.run('stays')];
  await world.crews.sandbox.addFault({
    crew: 'kept',
    route: 'resume',
    respond: { status: 503, headers: { 'retry-after': '1' } },
    times: 100,
  });
  await as('jon').click('Approve', { in: kept.card });
  await kept.shows('The decision is saved');
  await as('aiko').click('Approve', { in: pair.card });
  await pair.shows('1 of 2 approved: Aiko Tanaka');
  await as('jon').click('Reject…', { in: waits.card });
  await as('jon').fill('What should change?', 'Carefully typed.');
  const value = valueOfButtons(waits);
  await world.crews.sandbox.setScript('asks', [{ name: 'research', hold: 'crew is gone' }, ...DRAFT.slice(1)]);
  await as('maria').command(CHANNEL, '/kickoff', 'asks topic="a late request"');
  const asking = await as('maria').sees(CHANNEL, 'a late request');
  const polled = async (crew: string) =>
    (await world.crews.sandbox.requests()).filter((each) => each.crew === crew && each.route === 'status').length;

  await world.restart({ waits: 'gone', kept: 'gone', pair: 'gone', asks: 'gone' });
  await world.crews.sandbox.clearFaults();
  const before = { resumes: await resumesOf('kept'), polls: await polled('asks') };

  await waits.shows(NOT_SET_UP);
  expect(await kept.shows(NOT_SET_UP)).toContain('the decision is kept, and goes to the crew once it is set up again');
  expect(await pair.shows(NOT_SET_UP)).toContain('☑️ 1 approved: Aiko Tanaka');
  for (const { root } of [waits, kept, pair]) await as('maria').seesChanged(root, NOT_SET_UP);
  for (const run of [waits, kept, pair]) expect(await buttonsOf(run)).not.toMatch(/approve|reject|edit|undo|hand_over/);

  await as('jon').submit();
  const refused = modalText(await as('jon').seesModal(NOT_SET_UP));
  expect(refused).toContain('Carefully typed.');
  await as('jon').closeModal();
  for (const label of ['approve', 'who_can_decide'] as const) {
    // A click on a message like the card makes it a copy, which is shown as the card is.
    const old = await oldButtons(world.slack, waits.card, [[label, value]]);
    await as('jon').click(label, { in: old });
    const { text } = await privateAnswerTo(as('jon'), CHANNEL, NOT_SET_UP);
    expect(text).toContain('Ask the person who runs Signoff');
    await as('jon').closeModal();
  }
  await as('jon').command(CHANNEL, '/kickoff', 'who');
  await privateAnswerTo(as('jon'), CHANNEL, NOT_SET_UP);

  await as('jon').command(CHANNEL, '/kickoff', 'status');
  await privateAnswerTo(as('jon'), CHANNEL, `*kept*: Decided, not sent yet · leaf no. 2. · 🔌 ${NOT_SET_UP}`);

  await world.crews.sandbox.openGate('crew is gone');
  const late = await as('maria').seesInThread(asking, 'Approval needed');
  expect(visibleText(late)).toContain(NOT_SET_UP);
  await as('jon').click('Approve', { in: stays.card });
  expect(await stays.told()).toEqual(['approved: Approved.']);
  expect({ resumes: await resumesOf('kept'), polls: await polled('asks') }).toEqual(before);
  expect([await waits.toldSoFar(), await pair.toldSoFar()]).toEqual([[], []]);

  await world.restart();
  expect(await kept.told()).toEqual(['approved: Approved.']);
  expect(await accepted('kept')).toBe(1);
  await waits.shows('🔔 <@UJON00002> can decide');
  await pair.shows(/☑️ 1 of 2 approved: Aiko Tanaka · still needs 1 more person/s);
  expect(await buttonsOf(waits)).toMatch(/approve.*reject/);
  await as('jon').click('Approve', { in: waits.card });
  await as('priya').click('Approve', { in: pair.card });
  await as('maria').seesChanged(late, 'Anyone in the workspace can decide');
  await as('jon').click('Approve', { in: late });
  expect(await waits.told()).toEqual(['approved: Approved.']);
  expect(await pair.told()).toEqual(['approved: Approved.']);
  await eventually(async () => (await accepted('asks')) === 1);
  expect([await accepted('waits'), await accepted('pair'), await accepted('kept')]).toEqual([1, 1, 1]);
});

/** What the buttons of a card carry. */
function valueOfButtons({ card }: FollowedRun): string {
  const [, value = '""'] = /"value":("{[^}]*}")/.exec(JSON.stringify(card.blocks)) ?? [];
  return JSON.parse(value);
}
