import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrewPolicy, parseApprover } from '../../../../src/core/policy/policy.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { cannotChangeTrackingText } from '../../../../src/slack/features/run/tracking.ts';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { sayIn } from '../../../support/say.ts';
import { APPROVER, GUARDED, KICKER, STARTER } from '../../app/listeners/requests/cast.ts';
import { prepareRun, startObligingSlack } from '../../app/listeners/requests/outcome.ts';
import { RUN_KINDS } from '../../app/listeners/requests/runs.ts';
import { click, submission } from '../../app/listeners/requests/sent.ts';
import type { AnsweringSlack } from '../../directory/answering-slack.ts';
import { type ApprovalWorld, startApprovalWorld } from '../../request/approval-world.ts';

const { redis } = redisForTests();

describe('stopping to track a run', () => {
  let slack: AnsweringSlack;
  beforeAll(async () => {
    slack = await startObligingSlack();
  });
  afterAll(() => slack.close());

  it.each([STARTER, APPROVER])('is allowed for %s, whatever the run waits for', async (id) => {
    for (const kind of RUN_KINDS) {
      const { keys, outcomeOf } = await prepareRun(redis(), slack, kind);
      const { after, refusals } = await outcomeOf(submission('stop_following', keys, { by: id }));
      expect([after.unfollowed?.by.id, refusals]).toEqual([id, 0]);
    }
  });

  it('isn’t allowed for people who may only start the crew, if another person started the run', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
    const { after, refusals } = await outcomeOf(click('stop_following', keys, { by: KICKER }));
    expect([after.unfollowed, refusals]).toEqual([null, 1]);
  });

  it('is allowed for those who decide one of its tasks, for the whole run', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
    const { approval } = GUARDED;
    const ofTask = {
      ...approval,
      match: 'draft',
      looksAt: 'name' as const,
      approvers: [{ kind: 'person' as const, name: 'UTASKLEAD' }],
    };
    const crew = { ...GUARDED, approval: { ...approval, tasks: [ofTask] } };
    const { after } = await outcomeOf(submission('stop_following', keys, { by: 'UTASKLEAD' }), { crew });
    expect(after.unfollowed?.by.id).toBe('UTASKLEAD');
  });

  it('is told apart from a decision: the request that waits is closed, and nothing is decided', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'voted');
    const { after, otherEntries } = await outcomeOf(submission('stop_following', keys, { by: STARTER }));
    expect(after.requests).toMatchObject([{ state: { status: 'superseded', by: 'unfollowed', decision: null } }]);
    expect(otherEntries).toBe(0);
  });

  it('tells the second person who was first, and changes nothing more', async () => {
    const { keys, outcomeOf } = await prepareRun(redis(), slack, 'running');
    await outcomeOf(submission('stop_following', keys, { by: STARTER }));
    const late = await outcomeOf(submission('stop_following', keys, { by: APPROVER }));
    expect([late.after, late.refusals, late.acks]).toEqual([
      late.before,
      0,
      [{ response_action: 'update', view: ALREADY }],
    ]);
    const { before, after, refusals, calls } = await outcomeOf(click('stop_following', keys, { by: APPROVER }));
    expect([after, refusals, calls]).toEqual([before, 0, ['views.open']]);
  });
});

const ALREADY = expect.objectContaining({ title: expect.objectContaining({ text: 'Nothing changed' }) });

const REST = 'those who can decide its approvals can change whether it is tracked.';

describe('a person who may not stop tracking a run', () => {
  let world: ApprovalWorld;
  beforeAll(async () => {
    world = await startApprovalWorld();
  });
  afterAll(() => world.stop());

  const named = (id: string) => [parseApprover(id)].flatMap((each) => each ?? []);

  /** What a person is told who may not stop tracking a run that Maria started. */
  async function toldTo(handle: string, policy: Partial<CrewPolicy>): Promise<string> {
    const person = world.slack.as(handle);
    const { ref, card } = await world.asks({ approvers: named('UPRIYA004'), ...policy });
    const root = await person.waitFor('the root message', ({ messages }) =>
      messages[card.channel]?.find(({ ts }) => ts === card.threadTs),
    );
    await person.click('Stop tracking…', { in: root });
    const text = modalText(await person.seesModal('You can’t stop tracking'));
    await person.closeModal();
    expect((await world.load(ref)).unfollowed).toBeNull();
    return text;
  }

  it.each(['jon', 'gina'])('learns who may: %s', async (handle) => {
    const text = await toldTo(handle, {});
    expect(text).toContain(`Only Maria Alvarez, who started this run, and ${REST}`);
    expect(text).not.toContain('decide this');
  });

  it('learns why only, from another organisation', async () => {
    expect(await toldTo('sam', {})).toContain('Only members of the workspace');
  });

  it('learns no name from another organisation, not even if they may decide later', async () => {
    const text = await toldTo('sam', { guests: true, escalateTo: named('USTRANGE6') });
    expect(text).toContain(`Only the person who started this run and ${REST}`);
    expect(text).not.toContain('Maria');
  });
});

it('the refusal names nobody where nobody in Slack started the run', () => {
  expect(cannotChangeTrackingText(null, () => 'x', sayIn('en'))).toMatch(
    /^Only those who can decide the approvals of this run can change/,
  );
});

it('the refusal escapes the name of the starter', () => {
  expect(cannotChangeTrackingText({ id: 'U1', name: 'x' }, () => '<!here>', sayIn('en'))).toContain(
    'Only &lt;!here&gt;, who',
  );
});
