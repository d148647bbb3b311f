// views.*: modals and the Home tab.

import { refuseNewBlocks } from '../block-kit/check-message.ts';
import { checkView, viewIsTooLarge } from '../block-kit/check-view.ts';
import { heldElements } from '../block-kit/interactive.ts';
import { stateValues } from '../inputs/element-inputs.ts';
import { isObject, type Json, type JsonObject, stringAt } from '../json.ts';
import type { TriggerOrigin } from '../runtime/grants.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import {
  addModal,
  blocksOf,
  DEEPEST_STACK,
  findView,
  homeOf,
  modalStack,
  publishHome,
  replaceSource,
} from '../state/views.ts';
import type { StoredView } from '../state/workspace-state.ts';
import { ApiError, argumentError, blockError } from './api-error.ts';
import { jsonArg, requiredArg, textArg } from './arguments.ts';
import { needScope } from './channel-access.ts';
import { fileFinder } from './file-json.ts';
import type { ApiMethods } from './method.ts';

const views = { token: 'bot', scopes: [], tier: 'tier4', takesJson: true } as const;

export const VIEW_METHODS: ApiMethods = {
  'views.open': { ...views, run: open },
  'views.push': { ...views, run: push },
  'views.update': { ...views, run: update },
  'views.publish': { ...views, run: publish },
};

/** https://docs.slack.dev/reference/methods/views.open */
function open(workspace: Workspace, args: JsonObject): JsonObject {
  const source = checkedView(workspace, jsonArg(args, 'view', 'invalid_arguments'), 'modal');
  const { userId, channelId } = exchange(workspace, args);
  const view = addModal(workspace.state, { userId, source, openedIn: channelId, nowMs: workspace.now() });
  workspace.touch();
  return { view: viewJson(workspace, view) };
}

/** https://docs.slack.dev/reference/methods/views.push */
function push(workspace: Workspace, args: JsonObject): JsonObject {
  const source = checkedView(workspace, jsonArg(args, 'view', 'invalid_arguments'), 'modal');
  const { userId, viewId } = exchange(workspace, args);
  const below = viewId === undefined ? undefined : findView(workspace.state, { viewId });
  if (below?.kind !== 'modal') throw new ApiError('not_found');
  const view = pushOnto(workspace, { userId, source, below });
  return { view: viewJson(workspace, view) };
}

/** Pushes a modal onto the stack that `below` belongs to. Throws `push_limit_reached` at three. */
export function pushOnto(
  workspace: Workspace,
  pushed: { userId: string; source: JsonObject; below: StoredView },
): StoredView {
  const { userId, source, below } = pushed;
  const stack = modalStack(workspace.state, userId);
  if (stack.length >= DEEPEST_STACK) throw new ApiError('push_limit_reached');
  const view = addModal(workspace.state, { userId, source, onTopOf: stack.at(-1) ?? below, nowMs: workspace.now() });
  workspace.touch();
  return view;
}

/** https://docs.slack.dev/reference/methods/views.update */
function update(workspace: Workspace, args: JsonObject): JsonObject {
  const viewId = textArg(args, 'view_id');
  const externalId = textArg(args, 'external_id');
  if (!viewId && !externalId) throw argumentError('missing required field: view_id');
  const view = findView(workspace.state, viewId ? { viewId } : { externalId: externalId ?? '' });
  const source = checkedView(workspace, jsonArg(args, 'view', 'invalid_arguments'), view?.kind ?? 'modal', view);
  // An app can't know that somebody has closed it.
  if (!view) throw new ApiError('not_found', {}, []);
  refuseStale(view, textArg(args, 'hash'));
  replaceSource(workspace.state, view, source, workspace.now());
  workspace.touch();
  return { view: viewJson(workspace, view) };
}

/** https://docs.slack.dev/reference/methods/views.publish */
function publish(workspace: Workspace, args: JsonObject): JsonObject {
  const userId = requiredArg(args, 'user_id');
  if (!workspace.app.homeTab) throw new ApiError('not_enabled');
  if (!workspace.state.members.some((member) => member.id === userId && member.kind !== 'app'))
    throw new ApiError('user_not_found');
  const home = homeOf(workspace.state, userId);
  const source = checkedView(workspace, jsonArg(args, 'view', 'invalid_arguments'), 'home', home);
  refuseStale(home, textArg(args, 'hash'));
  const view = publishHome(workspace.state, { userId, source, nowMs: workspace.now() });
  workspace.touch();
  return { view: viewJson(workspace, view) };
}

/** Validates a view of this kind. Throws `invalid_arguments`, `view_too_large`, `missing_scope` or `duplicate_external_id`. */
export function checkedView(
  workspace: Workspace,
  view: Json | undefined,
  kind: StoredView['kind'],
  replaced?: StoredView,
): JsonObject {
  if (!isObject(view)) throw argumentError('missing required field: view');
  if (viewIsTooLarge(view)) throw new ApiError('view_too_large');
  const refused = refuseNewBlocks(view.blocks, workspace.features.missingBlocks, '/view/blocks');
  const problems = [...checkView(view), ...refused];
  if (view.type !== kind)
    problems.push({
      pointer: '/view/type',
      message: `must be ${kind}`,
      documentation: 'https://docs.slack.dev/surfaces',
    });
  if (problems.length > 0) throw blockError('invalid_arguments', problems);
  // https://docs.slack.dev/reference/block-kit/block-elements/file-input-element#usage-info
  if (takesFiles(view)) needScope(workspace, 'files:read');
  const externalId = stringAt(view, 'external_id');
  const holder = externalId ? findView(workspace.state, { externalId }) : undefined;
  if (holder && holder !== replaced) throw new ApiError('duplicate_external_id');
  return view;
}

function takesFiles(view: JsonObject): boolean {
  return Array.isArray(view.blocks) && heldElements(view.blocks).some(({ element }) => element.type === 'file_input');
}

/** Call this after validating the view: a refused view can then be corrected and retried with the same trigger. */
function exchange(workspace: Workspace, args: JsonObject): TriggerOrigin {
  const exchanged = workspace.triggers.exchange(requiredArg(args, 'trigger_id'));
  if ('refusal' in exchanged)
    throw new ApiError(exchanged.refusal, {}, [
      {
        code: exchanged.refusal,
        detail: 'A trigger_id is valid for three seconds and opens one view.',
        documentation: 'https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses',
      },
    ]);
  return exchanged.origin;
}

function refuseStale(view: StoredView | undefined, hash: string | undefined): void {
  if (!hash || !view || hash === view.hash) return;
  throw new ApiError('hash_conflict', {}, [
    {
      code: 'hash_conflict',
      detail: 'The view has changed since this hash was issued.',
      documentation: 'https://docs.slack.dev/surfaces/modals#handling_race_conditions',
    },
  ]);
}

/** A view as it appears in the Web API and interactions. https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function viewJson(workspace: Workspace, view: StoredView): JsonObject {
  const { app, state } = workspace;
  const blocks: Json[] = blocksOf(view);
  const { source } = view;
  return {
    id: view.id,
    team_id: memberById(workspace, view.userId).teamId,
    type: view.kind,
    blocks,
    private_metadata: source.private_metadata ?? '',
    callback_id: source.callback_id ?? '',
    external_id: source.external_id ?? '',
    state: { values: stateValues(blocks, view.inputs, fileFinder(workspace)) },
    hash: view.hash,
    title: source.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: source.clear_on_close ?? false,
    notify_on_close: source.notify_on_close ?? false,
    close: source.close ?? null,
    submit: source.submit ?? null,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    app_id: app.appId,
    // https://github.com/slackapi/bolt-js/issues/1720
    app_installed_team_id: state.organisation?.id ?? state.team.id,
    bot_id: app.botId,
  };
}
