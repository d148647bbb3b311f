import { MultipleListenerError } from '@slack/bolt';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type IncomingRequest, processRequest } from '../../../src/slack/receivers/request.ts';
import { readableLog } from '../../crew/crew-values.ts';
import { bareApp, FakeReceiver } from '../../support/fake-receiver.ts';
import { runs } from '../../support/sample.ts';

/** An app, and what becomes of requests to it. */
function appUnderTest() {
  const app = bareApp(new FakeReceiver());
  const { log, text } = readableLog();
  const acks: unknown[] = [];
  let faults = 0;
  const onFault = () => {
    faults += 1;
  };
  const ack = async (answer?: object | string) => void acks.push(answer ?? 'bare');
  return {
    app,
    acks,
    faults: () => faults,
    lines: () =>
      text()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    process: (body: IncomingRequest['body'], retry: IncomingRequest['retry'] = {}) =>
      processRequest(app, { body, ack, retry }, { log, onFault }),
  };
}

const CLICK = { type: 'block_actions', user: { id: 'U1' }, actions: [{ action_id: 'approve' }] };
const HOME = { type: 'event_callback', event: { type: 'app_home_opened', user: 'U1', tab: 'home' } };

it('an event is acknowledged once its listener has done its work', async () => {
  const { app, acks, process } = appUnderTest();
  app.event('app_home_opened', async () => {
    await new Promise(setImmediate);
    acks.push('stored');
  });
  expect(await process(HOME)).toBe('handled');
  expect(acks).toEqual(['stored', 'bare']);
});

it('an event whose listener fails is not acknowledged, so that Slack delivers it again', async () => {
  const { app, acks, faults, process } = appUnderTest();
  app.event('app_home_opened', () => Promise.reject(new Error('Redis is away')));
  expect(await process(HOME)).toBe('failed');
  expect([acks, faults()]).toEqual([[], 1]);
});

it('listeners learn that Slack delivers a request again', async () => {
  const { app, process } = appUnderTest();
  const seen: unknown[] = [];
  app.use(async ({ context, next }) => {
    seen.push([context.retryNum, context.retryReason]);
    await next();
  });
  await process(HOME, { retryNum: 1, retryReason: 'http_timeout' });
  expect(seen).toEqual([[1, 'http_timeout']]);
});

it('each of several faults is logged and counted', async () => {
  const { app, acks, faults, lines, process } = appUnderTest();
  app.action('approve', () => Promise.reject(new Error('one')));
  app.action(/approve/, () => Promise.reject(new TypeError('other')));
  expect(await process(CLICK)).toBe('failed');
  expect([acks, faults()]).toEqual([[], 2]);
  expect(lines().map(({ level, err }) => [level, err.type, err.message])).toEqual([
    [50, 'Error', 'one'],
    [50, 'TypeError', 'other'],
  ]);
  expect(JSON.stringify(lines())).not.toContain(MultipleListenerError.name);
});

it('a request that Bolt would take for one of another kind is what its type says', async () => {
  const { app, acks, process } = appUnderTest();
  app.action('approve', async ({ ack }) => ack());
  expect(await process({ ...CLICK, event: { type: 'message' }, command: 1, name: 'options' })).toBe('handled');
  expect(acks).toEqual(['bare']);
});

const anyPart = fc.oneof(fc.jsonValue(), fc.constant({ id: 'C1', channel: 'C1', created_by: 'U1' }));
const anyEvent = fc.record(
  {
    type: fc.constantFrom('message', 'app_home_opened', 'function_executed', 'app_uninstalled', 'reaction_added'),
    ...{ user: anyPart, channel: anyPart, channel_id: anyPart, item: anyPart, subteam: anyPart, thread_ts: anyPart },
    ...{ message: anyPart, previous_message: anyPart, assistant_thread: anyPart, view: anyPart, text: anyPart },
  },
  { requiredKeys: [] },
);
const anyBody = fc.record(
  {
    type: fc.constantFrom(
      ...['event_callback', 'block_actions', 'view_submission', 'view_closed', 'block_suggestion', 'shortcut'],
      'message_action',
    ),
    event: fc.oneof(anyEvent, fc.jsonValue()),
    user: fc.oneof(fc.constant({ id: 'U1' }), fc.jsonValue()),
    actions: fc.oneof(fc.constant([{ action_id: 'approve' }]), fc.jsonValue()),
    view: fc.oneof(fc.constant({ id: 'V1' }), fc.jsonValue()),
    callback_id: fc.oneof(fc.constant('start_crew'), fc.jsonValue()),
    ...{ authorizations: anyPart, team: anyPart, enterprise: anyPart, team_id: anyPart, response_urls: anyPart },
    ...{ channel: anyPart, message: anyPart, container: anyPart, name: anyPart, function_data: anyPart },
    ...{ response_url: anyPart, is_enterprise_install: anyPart, trigger_id: anyPart },
  },
  { requiredKeys: ['type'] },
);

it('whatever Slack signs, it is handled or refused, and never a fault', async () => {
  const { app, faults, lines, process } = appUnderTest();
  app.event(/./, async () => {});
  app.action(/./, async ({ ack }) => ack());
  app.view(/./, async ({ ack }) => ack());
  app.shortcut(/./, async ({ ack }) => ack());
  await fc.assert(
    fc.asyncProperty(anyBody, async (body) => {
      expect(['handled', 'unreadable']).toContain(await process(body));
    }),
    runs({ some: 500, all: 3_000 }),
  );
  expect([faults(), lines().filter(({ level }) => level >= 50)]).toEqual([0, []]);
});
