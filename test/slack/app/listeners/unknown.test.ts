import { afterAll, beforeAll, expect, it } from 'vitest';
import { redisForTests } from '../../../redis/store-under-test.ts';
import { clickPayload, submissionPayload } from '../../../support/slack-server.ts';
import type { AnsweringSlack } from '../../directory/answering-slack.ts';
import { APPROVER, CHANNEL } from './requests/cast.ts';
import { prepareRun, startObligingSlack } from './requests/outcome.ts';
import type { Sent } from './requests/sent.ts';

const { redis } = redisForTests();

let slack: AnsweringSlack;
beforeAll(async () => {
  slack = await startObligingSlack();
});
afterAll(() => slack.close());

async function outcomeOf(kind: Sent['kind'], payload: object) {
  const { outcomeOf } = await prepareRun(redis(), slack, 'running');
  const { acks, calls, facts } = await outcomeOf({ kind, payload });
  return { acks, calls, facts };
}

const clicked = (actionId: string, more: object = {}) => {
  const payload = Object(
    clickPayload({ actionId, value: 'r1' }, { by: APPROVER, message: { channel: CHANNEL, ts: '1.0' } }),
  );
  return { ...payload, actions: [{ ...payload.actions[0], ...more }] };
};
const user = { id: APPROVER, name: 'ann', team_id: 'T0SANDBOX1' };
const UNKNOWN = { by: APPROVER, pressed: 'unknown' };

it.each(['of_an_older_version', 'constructor', '__proto__'])(
  'a click on %s says that its message is out of date',
  async (id) => {
    expect(await outcomeOf('block_actions', clicked(id))).toMatchObject({
      acks: [{}],
      calls: ['views.open'],
      facts: UNKNOWN,
    });
  },
);

it.each([
  ['a button', 'wake', {}],
  ['an entry of a menu', 'more', { type: 'overflow', selected_option: { value: 'snooze_today r1 1' } }],
])('%s of an older Home says that it was out of date, and shows it anew', async (_, id, more) => {
  const { message, channel, container, ...click } = clicked(id, more);
  const view = { id: 'V0HOME', type: 'home', private_metadata: '{"snoozed":"listed"}', state: { values: {} } };
  expect(await outcomeOf('block_actions', { ...click, view })).toMatchObject({
    acks: [{}],
    calls: ['views.open', 'views.publish'],
    facts: UNKNOWN,
  });
});

it.each([
  ['a button', 'open_link', { url: 'https://example.com' }],
  ['an entry of a menu', 'more', { type: 'overflow', selected_option: { value: 'open_link r1 1' } }],
])('%s that opens an address needs no more than the acknowledgement', async (_, id, more) => {
  const link = clicked(id, more);
  expect(await outcomeOf('block_actions', link)).toMatchObject({ acks: [{}], calls: [], facts: UNKNOWN });
});

it.each(['of_an_older_version', 'toString'])('a shortcut %s says that it is out of date', async (id) => {
  const shortcut = { callback_id: id, user, trigger_id: '1.2' };
  expect(await outcomeOf('shortcut', shortcut)).toMatchObject({ acks: [{}], calls: ['views.open'], facts: UNKNOWN });
});

it('a command that isn’t ours says where to find those that are', async () => {
  const command = { command: '/deploy', text: '', channel_id: CHANNEL, user_id: APPROVER, trigger_id: '1.2' };
  const { acks, facts } = await outcomeOf('command', command);
  expect(acks).toEqual([expect.objectContaining({ response_type: 'ephemeral' })]);
  expect(JSON.stringify(acks)).toContain('`/kickoff help`');
  expect(facts).toMatchObject(UNKNOWN);
});

it.each(['of_an_older_version', 'valueOf'])('a modal %s closes', async (callbackId) => {
  const submitted = submissionPayload({ callbackId, metadata: '', values: {} }, { by: APPROVER });
  expect(await outcomeOf('view_submission', Object(submitted))).toMatchObject({
    acks: [{}],
    calls: [],
    facts: UNKNOWN,
  });
});

it('a modal that a person closes is acknowledged, and nobody has used anything', async () => {
  const closed = Object(submissionPayload({ callbackId: 'kickoff', metadata: '', values: {} }, { by: APPROVER }));
  expect(await outcomeOf('view_closed', { ...closed, type: 'view_closed' })).toEqual({
    acks: [{}],
    calls: [],
    facts: {},
  });
});

it('a select that loads its options gets none', async () => {
  const asked = { user, action_id: 'any', value: 'a' };
  expect(await outcomeOf('block_suggestion', asked)).toMatchObject({ acks: [{ options: [] }], calls: [] });
});
