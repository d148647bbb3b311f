import { expect, it } from 'vitest';
import { type JsonObject, objectAt } from '../../../../src/sandbox/slack-workspace/json.ts';
import { DEFAULT_APP } from '../../../../src/sandbox/slack-workspace/runtime/installed-app.ts';
import { actions, button, input, modal, option, plain, section, textInput } from '../support/blocks.ts';
import { sharedWorkspace } from '../support/scripted-app.ts';

const playground = sharedWorkspace({
  ackLimitMs: 10_000,
  app: {
    events: ['app_home_opened', 'message.channels', 'message.groups'],
    scopes: [...DEFAULT_APP.scopes, 'channels:history'],
    shortcuts: [
      { type: 'message', callbackId: 'about', name: 'About', description: '' },
      { type: 'global', callbackId: 'anywhere', name: 'Anywhere', description: '' },
    ],
  },
});

const PERSON = ['user.id', 'user.username', 'user.name', 'user.team_id', 'team.id', 'team.domain'];
const APP = ['type', 'api_app_id', 'token', 'enterprise', 'is_enterprise_install'];
const COMMON = [...APP, ...PERSON];
/** The person of a global shortcut has no `user.name`. */
const UNNAMED = COMMON.filter((field) => field !== 'user.name');
const ACTION = ['actions.0.type', 'actions.0.action_id', 'actions.0.block_id', 'actions.0.action_ts'];
const MESSAGE = ['type', 'user', 'ts', 'text', 'team', 'blocks', 'bot_id', 'app_id', 'bot_profile.id'];
const VIEW = [
  ...['id', 'team_id', 'type', 'blocks', 'private_metadata', 'callback_id', 'external_id', 'state.values', 'hash'],
  ...['title', 'close', 'submit', 'clear_on_close', 'notify_on_close', 'root_view_id', 'previous_view_id'],
  ...['app_id', 'app_installed_team_id', 'bot_id'],
];
const inside = (name: string, fields: readonly string[]) => fields.map((field) => `${name}.${field}`);

/** The fields that the reference of each payload names, and the types in `@slack/bolt`. */
const REFERENCE = 'https://docs.slack.dev/reference/interaction-payloads';
const FIELDS = {
  [`${REFERENCE}/block_actions-payload#message`]: [
    ...[...COMMON, ...ACTION, 'actions.0.value', 'actions.0.text', 'trigger_id', 'response_url', 'state.values'],
    ...['container.type', 'container.message_ts', 'container.channel_id', 'container.is_ephemeral'],
    ...['container.thread_ts', 'channel.id', 'channel.name', 'message.thread_ts', 'message.parent_user_id'],
    ...inside('message', MESSAGE),
  ],
  [`${REFERENCE}/block_actions-payload#view`]: [
    ...[...COMMON, ...ACTION, 'trigger_id', 'container.type', 'container.view_id', 'actions.0.selected_option.value'],
    ...['actions.0.placeholder', 'actions.0.initial_option'],
    ...inside('view', VIEW),
  ],
  [`${REFERENCE}/view-interactions-payload#view_submission`]: [
    ...[...COMMON, 'trigger_id', 'response_urls'],
    ...inside('view', VIEW),
  ],
  [`${REFERENCE}/view-interactions-payload#view_closed`]: [...COMMON, 'is_cleared', ...inside('view', VIEW)],
  [`${REFERENCE}/shortcuts-interaction-payload#global`]: [...UNNAMED, 'callback_id', 'trigger_id', 'action_ts'],
  [`${REFERENCE}/shortcuts-interaction-payload#message`]: [
    ...[...COMMON, 'callback_id', 'trigger_id', 'action_ts', 'response_url', 'message_ts', 'channel.id'],
    ...['channel.name', ...inside('message', MESSAGE)],
  ],
  'https://docs.slack.dev/interactivity/implementing-slash-commands#command_payload_descriptions': [
    ...['token', 'team_id', 'team_domain', 'channel_id', 'channel_name', 'user_id', 'user_name', 'command', 'text'],
    ...['api_app_id', 'is_enterprise_install', 'response_url', 'trigger_id'],
  ],
  'https://docs.slack.dev/apis/events-api#callback-field': [
    ...['token', 'team_id', 'context_team_id', 'api_app_id', 'type', 'event_context', 'event_id', 'event_time'],
    ...['is_ext_shared_channel', 'authorizations.0.enterprise_id', 'authorizations.0.team_id'],
    ...['authorizations.0.user_id', 'authorizations.0.is_bot', 'authorizations.0.is_enterprise_install'],
    ...['event.type', 'event.event_ts', 'event.user', 'event.channel', 'event.tab'],
  ],
} as const;

type Page = keyof typeof FIELDS;

/** The value at a path such as `actions.0.type`; undefined if there is none. `null` is a value. */
function at(payload: unknown, path: string): unknown {
  return path.split('.').reduce((value: unknown, key) => (value as JsonObject | null | undefined)?.[key], payload);
}

function ofType(type: string): JsonObject {
  return playground.app.received.findLast(({ payload }) => payload.type === type)?.payload ?? {};
}

it('every payload has the fields that its reference names', async () => {
  const { slack, app, call } = playground;
  const maria = slack.as('maria');
  const seen: { [page in Page]?: JsonObject } = {};
  const keep = (page: Page, payload: JsonObject) => {
    seen[page] = structuredClone(payload);
  };
  const view = modal(
    [
      {
        type: 'actions',
        block_id: 'choices',
        elements: [
          {
            type: 'static_select',
            action_id: 'how',
            placeholder: plain('How'),
            options: [option('Hot'), option('Cold')],
            initial_option: option('Hot'),
          },
        ],
      },
      input('Topic', textInput()),
    ],
    { callback_id: 'it', notify_on_close: true },
  );
  app.reply = async ({ payload }) => {
    if (payload.command) await call('views.open', { trigger_id: String(payload.trigger_id), view });
    return {};
  };

  const root = await maria.say('#general', 'root');
  const blocks = [section('card'), actions(button('Approve', { value: '1' }))];
  await call('chat.postMessage', { channel: 'C0GENERAL1', text: 'card', blocks, thread_ts: root.ts });
  const reply = await maria.seesInThread(root, 'card');
  await maria.click('Approve', { in: reply });
  keep(`${REFERENCE}/block_actions-payload#message`, ofType('block_actions'));
  await maria.messageShortcut('About', reply);
  keep(`${REFERENCE}/shortcuts-interaction-payload#message`, ofType('message_action'));
  await maria.globalShortcut('Anywhere');
  keep(`${REFERENCE}/shortcuts-interaction-payload#global`, ofType('shortcut'));

  await maria.command('#general', '/kickoff', 'now');
  const command = app.received.findLast(({ payload }) => payload.command)?.payload ?? {};
  keep('https://docs.slack.dev/interactivity/implementing-slash-commands#command_payload_descriptions', command);
  const [, block] = [await maria.seesModal('Hot'), (await maria.snapshot()).modals[0]?.blocks[0]];
  const viewId = (await maria.snapshot()).modals[0]?.id ?? '';
  const used = { place: { in: 'view', viewId }, blockId: block?.block_id, actionId: 'how' };
  const chosen = { type: 'use', ...used, input: { kind: 'options', values: ['Cold'] } };
  await fetch(`${slack.pageUrl}api/act?as=UMARIA001`, { method: 'POST', body: JSON.stringify(chosen) });
  keep(`${REFERENCE}/block_actions-payload#view`, ofType('block_actions'));
  await maria.fill('Topic', 'Tea');
  await maria.submit();
  keep(`${REFERENCE}/view-interactions-payload#view_submission`, ofType('view_submission'));
  await maria.command('#general', '/kickoff');
  await maria.fill('Topic', 'Coffee');
  await maria.closeModal();
  await maria.openHome();
  const [closed, opened] = await maria.waitFor('the last two', () => {
    const home = app.received.find(({ payload }) => objectAt(payload, 'event')?.type === 'app_home_opened')?.payload;
    return 'view' in ofType('view_closed') && home ? [ofType('view_closed'), home] : undefined;
  });
  keep(`${REFERENCE}/view-interactions-payload#view_closed`, closed ?? {});
  keep('https://docs.slack.dev/apis/events-api#callback-field', opened ?? {});

  const missing = Object.entries<readonly string[]>(FIELDS).flatMap(([page, fields]) =>
    fields.filter((field) => at(seen[page as Page], field) === undefined).map((field) => `${page} ${field}`),
  );
  expect(missing).toEqual([]);
  expect(at(seen[`${REFERENCE}/shortcuts-interaction-payload#global`], 'user.name')).toBeUndefined();
  // Without what was typed: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload#view_closed
  const left = at(seen[`${REFERENCE}/view-interactions-payload#view_closed`], 'view.state.values') ?? {};
  expect(Object.keys(left)).toEqual([block?.block_id]);
});
