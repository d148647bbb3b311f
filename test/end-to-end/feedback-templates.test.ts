import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

const TEXT = 'Keep the facts; “make it” <b>friendlier</b> & shorter.\n\n- No jargon.';

let world: World;

beforeAll(async () => {
  world = await startWorld({
    crews: [
      { name: 'editorial', settings: { approval: { templates: [{ name: 'Tone', text: TEXT }] } } },
      { name: 'other' },
    ],
  });
  await world.startBot();
});
afterAll(() => world.stop());

it('the crew receives exactly the text of a template that was chosen and submitted', async () => {
  const maria = world.slack.as('maria');
  await maria.command('#releases', '/kickoff editorial topic=tea');
  await maria.click('Reject…', { in: await maria.sees('#releases', 'Approval needed') });
  await maria.choose('Start from a text', 'Tone');
  await expect.poll(() => maria.chosen('What should change?')).toEqual([TEXT]);
  await maria.submit();
  await maria.sees('#releases', 'Round 2');
  const [run] = await world.crews.sandbox.runs();
  expect(run?.reviews.map(({ approved, text }) => [approved, text])).toEqual([[false, TEXT]]);
});
