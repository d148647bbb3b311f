import { afterAll, beforeAll, expect, it } from 'vitest';
import { withRequest } from '../../../../src/core/state/execution.ts';
import { supersede } from '../../../../src/core/state/request.ts';
import { ok } from '../../../../src/core/values/result.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import type { Message } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import { tick, tickBlockId } from '../../../../src/slack/features/home/selection.ts';
import { button, buttons, section } from '../../../../src/slack/ui/blocks.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await startApprovalWorld();
});
afterAll(() => world.stop());

const AIKO = 'UAIKO0003';
const as = (handle: string) => world.slack.as(handle);

interface Asked {
  ref: string;
  card: Message;
  name: string;
}

async function asks(...[policy, options]: Parameters<ApprovalWorld['asks']>): Promise<Asked> {
  const { ref, card } = await world.asks(policy, options);
  const {
    question: { taskName },
  } = await world.approvalOf(ref);
  return { ref, card, name: taskName ?? '' };
}

/** Aiko ticks these requests in a Home tab, and selects the button. */
async function selects(...asked: Asked[]): Promise<void> {
  const ticks = await Promise.all(
    asked.map(async ({ ref, name }) => {
      const {
        question: { output },
      } = await world.approvalOf(ref);
      const block_id = tickBlockId({ ref, approvalId: '1', hash: output.hash }, 0);
      return [section(name), { type: 'actions' as const, block_id, elements: [tick(name, false)] }];
    }),
  );
  const approve = buttons(button('approve_selected', 'Approve selected…', { value: 'selected' }));
  await world.publishes(AIKO, [...ticks.flat(), ...approve]);
  for (const { name } of asked) await as('aiko').tick(name, { in: 'home' });
  await as('aiko').click('Approve selected…', { in: 'home' });
}

const statusOf = async ({ ref }: Asked) => (await world.approvalOf(ref)).state.status;

it('says what to do if nothing is ticked any more', async () => {
  await selects();
  await as('aiko').seesModal('Select requests in Home first');
  await as('aiko').closeModal();
});

it('shows the gist of each and what is unusual, asks once, and decides each under its own policy', async () => {
  const long = await asks({}, { text: `A long draft. ${'More words of it. '.repeat(700)}` });
  const pair = await asks({ quorum: 2 });
  const undoable = await asks({ undoMs: 3_600_000 });
  await selects(long, pair, undoable);
  const shown = modalText(await as('aiko').seesModal('3 requests will be approved as shown'));
  expect(shown).toMatch(
    new RegExp(`${long.name}\\* · crew-\\d+ · tea.*started by Maria Alvarez.*\\d+ more sentences`, 's'),
  );
  expect(shown).toMatch(/A long draft\..*then 1 of 2.*Draft number \d+\..*\[Approve 3\]/s);
  await as('aiko').submit();
  const done = modalText(await as('aiko').seesModal(`*${long.name}* · `));
  expect(done).toMatch(
    /approved\. \*crew-\d+\* continues\..*counts, 1 of 2\..*Until then, you can undo it\..*\[Undo\]/s,
  );
  expect(await Promise.all([long, pair, undoable].map(statusOf))).toEqual(['decided', 'pending', 'decided']);
  await as('aiko').click('Undo', { in: 'modal' });
  await as('aiko').seesModal('is waiting for a decision again');
  expect(await statusOf(undoable)).toBe('pending');
  await as('aiko').back();
  await as('aiko').seesModal('counts, 1 of 2');
  await as('aiko').closeModal();
});

it('counts one of a group beside the approvers as one of two', async () => {
  world.groups.members = { '@legal': [AIKO] };
  const request = await asks({
    approvers: [{ kind: 'person', name: 'UJON00002' }],
    allOf: [{ kind: 'handle', name: '@legal' }],
  });
  await selects(request);
  expect(modalText(await as('aiko').seesModal('1 request will be approved as shown'))).toContain('then 1 of 2');
  await as('aiko').submit();
  await as('aiko').seesModal('counts, 1 of 2');
  expect(await statusOf(request)).toBe('pending');
  await as('aiko').closeModal();
  world.groups.members = {};
});

it('names those that can’t be approved together, and why', async () => {
  const group = await asks({ approvers: [{ kind: 'person', name: 'UJON00002' }] });
  const soon = await asks({ minReviewMs: 3_600_000 });
  const noted = await asks({ comment: { approve: 'required', reject: 'required' } });
  const decided = await asks({});
  const newer = await asks({});
  const repeated = await asks({});
  const mine = await asks({ quorum: 2 });
  await as('jon').click('Approve', { in: decided.card });
  await as('aiko').click('Approve', { in: mine.card });
  await world.store.change(newer.ref, (execution, now) => {
    const [request] = execution.requests;
    return ok(request ? withRequest(execution, supersede(request, 'newer-round', now)) : execution);
  });
  await world.store.change(repeated.ref, (execution) => {
    const [request] = execution.requests;
    return ok(
      request ? withRequest(execution, { ...request, question: { ...request.question, repeatsRound: 1 } }) : execution,
    );
  });
  await selects(group, soon, noted, decided, newer, repeated, mine);
  const shown = modalText(await as('aiko').seesModal('None of these can be approved together'));
  const lines = [
    `${group.name}\\* · .*You aren’t allowed to decide this`,
    `${soon.name}\\* · .*The crew asked only \\d+ seconds? ago, so decide it by itself`,
    `${noted.name}\\* · .*It needs a note, so decide it by itself`,
    `${decided.name}\\* · .*Jon Bell already approved this`,
    `${newer.name}\\* · .*asked again since, with another text`,
    `${repeated.name}\\* · .*may be a repeated notice of round 1`,
    `${mine.name}\\* · .*You had already approved it`,
  ];
  for (const line of lines) expect(shown).toMatch(new RegExp(line));
  expect(shown).not.toContain('[Approve');
  await as('aiko').closeModal();
});

it('leaves out what changed after it was listed, by name, and approves nothing twice', async () => {
  const [first, second, third] = [await asks({}), await asks({}), await asks({ quorum: 2 })];
  await selects(first, second, third);
  await as('aiko').seesModal('[Approve 3]');
  await as('priya').click('Reject…', { in: second.card });
  await as('priya').fill('What should change?', 'All of it.');
  await as('priya').submit();
  // As after an answer that got lost: the same modal is sent again.
  await as('aiko').click('Approve', { in: first.card });
  await as('aiko').submit();
  const done = modalText(await as('aiko').seesModal('Left out'));
  expect(done).toMatch(new RegExp(`${second.name}\\* · .*Priya Nair already rejected this`));
  expect(done).toMatch(new RegExp(`${first.name}\\* · .*You had already approved it`));
  expect(done).toMatch(new RegExp(`${third.name}\\* · .*counts, 1 of 2`));
  expect(await world.approvalOf(third.ref)).toMatchObject({ discussion: { votes: [{ by: { id: AIKO } }] } });
  expect(await world.approvalOf(second.ref)).toMatchObject({ state: { decision: { verdict: 'reject' } } });
  await as('aiko').closeModal();
});

it('leaves out a text that a person has edited since it was listed, and names who has edited one that it shows', async () => {
  const [first, second] = [await asks({ quorum: 2 }), await asks({ quorum: 2 })];
  const edit = async ({ card }: Asked) => {
    await as('jon').click('Edit…', { in: card });
    await as('jon').fill('Text', 'Another text.');
    await as('jon').submit();
    await as('jon').choose('What happens next', 'Approve with these edits');
    await as('jon').submit();
    await as('jon').seesNoModal();
  };
  await edit(second);
  await selects(first, second);
  const shown = modalText(await as('aiko').seesModal('2 requests will be approved as shown'));
  expect(shown).toContain('✏️ Jon Bell edited this text');
  await edit(first);
  await as('aiko').submit();
  const done = modalText(await as('aiko').seesModal('Left out'));
  expect(done).toMatch(new RegExp(`${first.name}\\* · .*The text has changed since\\.`));
  expect(done).not.toContain('asked again');
  await as('aiko').closeModal();
});

it('can be read before it is approved', async () => {
  const request = await asks({});
  await selects(request);
  await as('aiko').click('Review', { in: 'modal' });
  await as('aiko').seesModal(/^Review\n/);
  await as('aiko').back();
  await as('aiko').seesModal('1 request will be approved as shown');
  await as('aiko').submit();
  await as('aiko').seesModal('continues.');
  expect(await statusOf(request)).toBe('decided');
  await as('aiko').closeModal();
});
