import { afterAll, beforeAll, expect, it } from 'vitest';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { APPROVER, GUARDED, KICKER, STARTER } from '../../app/listeners/requests/cast.ts';
import { prepareRun, startObligingSlack } from '../../app/listeners/requests/outcome.ts';
import { RUN_KINDS } from '../../app/listeners/requests/runs.ts';
import { click } from '../../app/listeners/requests/sent.ts';
import type { AnsweringSlack } from '../../directory/answering-slack.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

it.each([STARTER, APPROVER])('%s stops following a run, whatever it waits for', async (id) => {
  for (const kind of RUN_KINDS) {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, kind);
    const { after, refusals } = await outcomeOf(click('stop_following', keys, { by: id }));
    expect([after.unfollowed?.by.id, refusals]).toEqual([id, 0]);
  }
});

it('who may only start the crew can’t stop following a run of others', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const { after, refusals } = await outcomeOf(click('stop_following', keys, { by: KICKER }));
  expect([after.unfollowed, refusals]).toEqual([null, 1]);
});

it('those who decide one of its tasks may stop following the whole run', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const { approval } = GUARDED;
  const ofTask = { ...approval, match: 'draft', approvers: [{ kind: 'person' as const, name: 'UTASKLEAD' }] };
  const crew = { ...GUARDED, approval: { ...approval, tasks: [ofTask] } };
  const { after } = await outcomeOf(click('stop_following', keys, { by: 'UTASKLEAD' }), { crew });
  expect(after.unfollowed?.by.id).toBe('UTASKLEAD');
});

it('is told apart from a decision: the request that waits is closed, and nothing is decided', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
  const { after, otherEntries } = await outcomeOf(click('stop_following', keys, { by: STARTER }));
  expect(after.approvals).toMatchObject([{ status: 'superseded', by: 'unfollowed', decision: null }]);
  expect(otherEntries).toBe(0);
});

it('tells who comes second who was first, and changes nothing more', async () => {
  const { keys, outcomeOf } = await prepareRun(redis(), slack, 'running');
  await outcomeOf(click('stop_following', keys, { by: STARTER }));
  const { before, after, refusals, calls } = await outcomeOf(click('stop_following', keys, { by: APPROVER }));
  expect([after, refusals, calls]).toEqual([before, 0, ['views.open']]);
});
