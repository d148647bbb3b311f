import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/sandbox/slack-workspace/json.ts';
import { askSlackServer, nowS } from '../support/slack-server.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
let port: number;
beforeAll(async () => {
  const closed = { channel: 'releases', approval: { started_elsewhere: 'refuse' } };
  world = await startWorld({
    manifest: 'workflows',
    crews: [{ name: 'editorial' }, { name: 'closed', settings: closed }],
  });
  ({ port } = await world.startBot());
});
afterAll(() => world.stop());

/** What Slack says of a step, with whatever is in it. */
async function tell(event: JsonObject): Promise<number> {
  const step = {
    type: 'function_executed',
    function: { callback_id: 'start_crew' },
    event_ts: `${nowS()}.1`,
    ...event,
  };
  const of = { type: 'event_callback', team_id: 'T0SANDBOX1', api_app_id: 'A0SIGNOFF1', event_id: 'Ev1' };
  const body = JSON.stringify({ ...of, event: step, event_time: nowS() });
  const secret = world.slack.signingSecret;
  return (await askSlackServer({ port, secret, body, contentType: 'application/json' })).status;
}

const FAILING: Record<string, JsonObject> = {
  start_crew: { crew: 'none', channel: 'C0RELEASE2' },
  wait_for_run: { ref: 'none' },
  ask_for_approval: { title: 'Any', text: 'Any.', channel: 'C0RELEASE2' },
};

/** A step that the workspace runs, so that it takes what becomes of it, with inputs that no workflow could have. */
async function fateOf(callbackId: string, inputs: Json): Promise<unknown> {
  const known = FAILING[callbackId] ?? {};
  const { executionId, ended } = world.slack.runFunction(callbackId, known);
  await ended;
  expect(await tell({ function: { callback_id: callbackId }, function_execution_id: executionId, inputs })).toBe(200);
  return world.slack.calls().findLast(({ name }) => name.startsWith('functions.'))?.request;
}

const CHANNEL = { channel: 'C0RELEASE2' };
const HOSTILE: [string, Json, string][] = [
  ['no inputs', null, 'there is no crew called “”'],
  ['inputs of other types', { crew: 7, channel: {}, inputs: [], started_by: true }, 'there is no crew called “”'],
  ['a name that every object has', { ...CHANNEL, crew: '__proto__' }, 'there is no crew called “__proto__”'],
  ['a crew that would mention everybody', { ...CHANNEL, crew: '<!channel> *hi*' }, '“‹!channel› *hi*”'],
  ['no channel', { crew: 'editorial', inputs: 'topic: tea' }, 'needs a channel'],
  [
    'a channel that the bot doesn’t see',
    { crew: 'editorial', channel: 'C0SECRET06', inputs: 'topic: tea' },
    'can’t post in that channel',
  ],
  ['a name that is no channel’s', { crew: 'editorial', channel: '../x', inputs: 'topic: tea' }, 'Nothing was started'],
  [
    'nobody as its starter',
    { ...CHANNEL, crew: 'editorial', inputs: 'topic: tea', started_by: '<@U0>' },
    'Nothing was',
  ],
  [
    'inputs without an end',
    { ...CHANNEL, crew: 'editorial', inputs: 'x'.repeat(500_000) },
    'the inputs begin with “xxx',
  ],
];

describe('a step of a workflow', () => {
  it.each(HOSTILE)('with %s starts nothing, and says why', async (_, inputs, why) => {
    const told = JSON.stringify(await fateOf('start_crew', inputs));
    expect(told).toContain(why);
    expect(told.length).toBeLessThan(1_000);
    expect((await world.crews.sandbox.runs()).length).toBe(0);
  });

  it.each<[string, Json]>([
    ['none', null],
    ['another type', { ref: { $gt: '' } }],
    ['a key of the store', { ref: 'x}:execution:y' }],
    ['a very long one', { ref: 'a'.repeat(100_000) }],
  ])('that waits for %s as its run hears that there is none', async (_, inputs) => {
    expect(JSON.stringify(await fateOf('wait_for_run', inputs))).toContain('Signoff knows no run “');
  });

  const question = { ...CHANNEL, title: 'Any', text: 'Any.' };

  it.each<[string, Json, string]>([
    ['no inputs', null, 'needs a title, a text and a channel'],
    ['inputs of other types', { title: 7, text: {}, channel: [], approvers: true }, 'needs a title'],
    ['everybody as approvers', { ...question, approvers: '<!channel>' }, 'needs either approvers'],
    ['a group as approvers', { ...question, approvers: 'channel workspace @leads S0456DEF' }, 'needs either approvers'],
    ['an input as an approver', { ...question, approvers: 'input:approver_1' }, 'needs either approvers'],
    [
      'eleven approvers',
      { ...question, approvers: Array.from({ length: 11 }, (_, i) => `U0${i}AB`).join(' ') },
      'at most ten people',
    ],
    ['a name that every object has', { ...question, crew: '__proto__' }, 'there is no crew called “__proto__”'],
    [
      'a crew that refuses what is started elsewhere',
      { ...question, crew: 'closed' },
      'closed refuses requests that weren’t started',
    ],
    [
      'such a crew, in the name of a person',
      { ...question, crew: 'closed', asked_by: 'UMARIA001' },
      'closed refuses requests that weren’t started',
    ],
    [
      'a channel that the bot doesn’t see',
      { ...question, channel: 'C0SECRET06', approvers: 'U0123ABC' },
      'can’t post in this channel',
    ],
    [
      'a time without an end',
      { ...question, approvers: 'U0123ABC', time_limit: '9'.repeat(100_000) },
      'isn’t a time. Write it like',
    ],
  ])('with %s asks nobody, and says why', async (_, inputs, why) => {
    const told = JSON.stringify(await fateOf('ask_for_approval', inputs));
    expect(told).toContain(why);
    expect(told.length).toBeLessThan(1_000);
  });

  it('without an id, or of nothing that Bolt could read, isn’t taken', async () => {
    for (const event of [
      {},
      { function_execution_id: '' },
      { function_execution_id: 7 },
      { function_execution_id: 'F'.repeat(300) },
      { function_execution_id: 'Fx1', function: null },
      { function_execution_id: 'Fx1', function: { callback_id: {} } },
      { function_execution_id: 'Fx1', inputs: 'none' },
    ])
      expect(await tell(event), JSON.stringify(event)).not.toBe(200);
    expect(await tell({ function_execution_id: 'Fx1', function: { callback_id: 'other' }, inputs: {} })).toBe(200);
  });
});
