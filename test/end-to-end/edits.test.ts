import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { modalText } from '../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../src/sandbox/slack-workspace/people-api.ts';
import { audit } from '../support/audit-program.ts';
import { oldButtons } from '../support/old-buttons.ts';
import { CHANNEL, type PolicyWorld, startPolicyWorld } from '../support/policy-world.ts';
import { privateAnswerTo } from '../support/private-answer.ts';
import { TEST_SECRET } from '../support/world.ts';

let world: PolicyWorld;
beforeAll(async () => {
  world = await startPolicyWorld({
    crews: {
      alone: { approvers: ['UJON00002'], undo: '8s' },
      pair: { approvers: ['UJON00002', 'UAIKO0003'], quorum: 2 },
      silent: { approvers: ['UJON00002'] },
    },
    more: { silent: { approval_notes: false } },
    bot: { sealEveryMs: 200 },
  });
});
afterAll(() => world.stop());

const as = (handle: string) => world.slack.as(handle);

/** Opens the text, and replaces some words of it; resolves to the whole edited text. */
async function edit(by: string, card: Message, [before, after]: [string, string]): Promise<string> {
  await as(by).click('Edit…', { in: card });
  await as(by).seesModal('Change the text');
  const [text = ''] = await as(by).chosen('Text');
  const edited = text.replace(before, after);
  await as(by).fill('Text', edited);
  await as(by).submit();
  await as(by).seesModal('Your edits');
  return edited;
}

async function choose(by: string, way: 'Approve' | 'Send back') {
  await as(by).choose('What happens next', `${way} with these edits`);
  await as(by).submit();
}

it('the crew receives exactly the text that one person has approved with edits, once it can’t be undone any more', async () => {
  const run = await world.run('alone');
  await edit('jon', run.card, ['About tea', 'About coffee']);
  await choose('jon', 'Approve');
  await run.shows(/Jon Bell approved .+ with edits/);
  await as('jon').click('Undo', { in: run.card });
  await run.shows('[Approve]');
  expect(await run.toldSoFar()).toEqual([]);
  const text = await edit('jon', run.card, ['About tea', 'About oolong']);
  expect(text).toContain('About oolong');
  await choose('jon', 'Approve');
  expect(await run.told()).toEqual([`approved: Approved with these edits:\n${text}`]);
  const card = await run.shows(/Jon Bell approved .+ with edits/);
  expect(card).toContain('Compare');
  await as('maria').click('Compare', { in: run.card });
  expect(modalText(await as('maria').seesModal('text of the crew → edited text'))).toContain('oolong');
  await as('maria').closeModal();
});

it('votes for the text from before it was edited lapse, its buttons are refused, and an auditor finds it so', async () => {
  const run = await world.run('pair');
  const [, value = '""'] =
    /"action_id":"approve".*?"value":("(?:[^"\\]|\\.)*")/.exec(JSON.stringify(run.card.blocks)) ?? [];
  await as('aiko').click('Approve', { in: run.card });
  await run.shows('1 of 2 approved');
  const text = await edit('jon', run.card, ['About tea', 'About matcha']);
  expect(JSON.stringify(await as('jon').seesModal('Your edits'))).toContain('Others approve your text.');
  await choose('jon', 'Approve');
  const shown = await run.shows('Jon Bell edited this text');
  expect(shown).toContain('About matcha');
  expect(shown).toContain('1 of 2 approved: Jon Bell · still needs Aiko Tanaka');
  await as('aiko').seesInThread(run.root, 'so your approval no longer counts');
  const old = await oldButtons(world.slack, run.card, [['approve', String(JSON.parse(value))]]);
  await as('aiko').click('approve', { in: old });
  await privateAnswerTo(as('aiko'), CHANNEL, 'The text has changed since.');
  await as('aiko').closeModal();
  expect(await run.toldSoFar()).toEqual([]);
  await as('aiko').click('Approve', { in: run.card });
  await run.shows(/Jon Bell and Aiko Tanaka approved .+ with edits/);
  expect(await run.told()).toEqual([`approved: Approved with these edits:\n${text}`]);

  const folder = await mkdtemp(join(tmpdir(), 'signoff-edits-'));
  const file = join(folder, 'audit.jsonl');
  const env = { REDIS_URL: world.redis.url, APP_SECRET: TEST_SECRET };
  await writeFile(file, (await audit(['export'], env)).out);
  expect(await audit(['verify', file], {})).toMatchObject({ code: 0, out: expect.stringContaining('OK: ') });
  await rm(folder, { recursive: true });
});

it('edits that are sent back make the crew try again, also those of a text that somebody else has edited', async () => {
  const run = await world.run('pair');
  await edit('jon', run.card, ['About tea', 'About matcha']);
  await choose('jon', 'Approve');
  await run.shows('Jon Bell edited this text');
  await edit('aiko', run.card, ['About matcha', 'About green tea']);
  await choose('aiko', 'Send back');
  await as('jon').seesInThread(run.root, 'Round 2');
  const feedback = 'Make this edit, word for word:\n\n- After “About”, add “ green”.';
  expect(await run.toldSoFar()).toEqual([`rejected: ${feedback}`]);
});

it('approving with edits is not offered where the crew’s service has no place for the text', async () => {
  const run = await world.run('silent');
  await edit('jon', run.card, ['About tea', 'About matcha']);
  expect(modalText(await as('jon').seesModal('Your edits'))).not.toContain('Approve with these edits');
  await as('jon').closeModal();
});
