import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CrewPolicy, parseApprover } from '../../../../src/core/approval/policy/policy.ts';
import { modalText } from '../../../../src/sandbox/slack-workspace/driver/visible-text.ts';
import { cannotChangeTrackingText } from '../../../../src/slack/features/run/tracking.ts';
import { sayIn } from '../../../../src/slack/language/say.ts';
import { type ApprovalWorld, startApprovalWorld } from '../approval/approval-world.ts';

const REST = 'those who can decide its approvals can change whether it is tracked.';

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
  await person.click('Stop tracking for everyone', { in: root, confirm: 'Stop tracking' });
  const text = modalText(await person.seesModal('No change was made'));
  await person.closeModal();
  expect((await world.load(ref)).unfollowed).toBeNull();
  return text;
}

describe('a person who may not stop tracking a run', () => {
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

it('nobody is named where nobody of Slack started the run', () => {
  expect(cannotChangeTrackingText(null, () => 'x', sayIn('en'))).toMatch(
    /^Only those who can decide the approvals of this run can change/,
  );
});

it('a name is escaped', () => {
  expect(cannotChangeTrackingText({ id: 'U1', name: 'x' }, () => '<!here>', sayIn('en'))).toContain(
    'Only &lt;!here&gt;, who',
  );
});
