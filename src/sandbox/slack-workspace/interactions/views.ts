// People's use of views: they open Home, submit modals and close them.

import { ApiError } from '../api/api-error.ts';
import { checkedView, pushOnto, viewJson } from '../api/views.ts';
import { heldElements } from '../block-kit/interactive.ts';
import { deliver } from '../delivery/deliver.ts';
import { checkInputs } from '../inputs/check-input.ts';
import { isObject, type JsonObject, objectAt, parseJson } from '../json.ts';
import type { ActionOutcome } from '../person-actions.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { directMessage } from '../state/channels.ts';
import { blocksOf, dropModals, findView, homeOf, modalStack, replaceSource } from '../state/views.ts';
import type { StoredView } from '../state/workspace-state.ts';
import type { BrokenRule } from '../wire-entry.ts';
import { sendEvent } from './events.ts';
import { actionTs, payloadFacts, responseUrl } from './payload-facts.ts';
import { failureCode, problem } from './problem.ts';

/** https://docs.slack.dev/reference/events/app_home_opened */
export function appHomeOpened(workspace: Workspace, userId: string, tab: 'home' | 'messages'): void {
  const { botUserId } = workspace.app;
  const channel = directMessage(workspace.state, { botUserId, memberId: userId, nowMs: workspace.now() });
  const home = homeOf(workspace.state, userId);
  workspace.touch();
  sendEvent(workspace, 'app_home_opened', {
    type: 'app_home_opened',
    user: userId,
    channel: channel.id,
    tab,
    event_ts: actionTs(workspace),
    ...(home && tab === 'home' && { view: viewJson(workspace, home) }),
  });
}

/** Slack's banner over a modal whose submission failed. */
const CONNECTION_PROBLEM = 'We had some trouble connecting. Try again?';

/** Submits a modal: first Slack's own checks, then the app's. https://docs.slack.dev/surfaces/modals#handling_submissions */
export async function submitView(workspace: Workspace, view: StoredView): Promise<ActionOutcome> {
  view.errors = checkInputs(blocksOf(view), view.inputs);
  delete view.problem;
  if (Object.keys(view.errors).length > 0) {
    workspace.touch();
    return inputProblem('invalid_input', view.errors);
  }
  view.isSubmitting = true;
  workspace.touch();
  const delivered = await deliver(workspace, {
    kind: 'interactive',
    name: 'view_submission',
    payload: submissionPayload(workspace, view),
    acceptsResponse: true,
  });
  view.isSubmitting = false;
  const outcome = delivered.ok
    ? answered(workspace, view, delivered.body)
    : submissionFailed(workspace, view, failureCode(delivered));
  workspace.touch();
  return outcome;
}

function submissionPayload(workspace: Workspace, view: StoredView): JsonObject {
  return {
    type: 'view_submission',
    ...payloadFacts(workspace, view.userId),
    trigger_id: workspace.triggers.issue({ userId: view.userId, viewId: view.id }),
    view: viewJson(workspace, view),
    response_urls: viewResponseUrls(workspace, view),
  };
}

function submissionFailed(workspace: Workspace, view: StoredView, code: string, broken?: BrokenRule): ActionOutcome {
  view.problem = CONNECTION_PROBLEM;
  if (broken) logBrokenRule(workspace, broken);
  return problem(code, CONNECTION_PROBLEM, 'modal');
}

/** An answer that breaks a rule gets its own wire log entry: the delivery itself succeeded. */
function logBrokenRule(workspace: Workspace, broken: BrokenRule): void {
  workspace.wire.add({
    at: workspace.now(),
    direction: 'from-app',
    transport: workspace.app.delivery.mode,
    name: 'response_action',
    request: {},
    tookMs: 0,
    outcome: 'error',
    error: broken.code,
    broken: [broken],
  });
}

function answered(workspace: Workspace, view: StoredView, body: string): ActionOutcome {
  if (body.trim() === '') return closeTop(workspace, view);
  const answer = parseJson(body);
  if (isObject(answer) && Object.keys(answer).length === 0) return closeTop(workspace, view);
  try {
    if (!isObject(answer)) throw new ApiError('invalid_response');
    return respond(workspace, view, answer);
  } catch (fault) {
    if (!(fault instanceof ApiError)) throw fault;
    const detail = fault.broken?.[0]?.detail ?? `The answer to the submission was refused: ${fault.code}.`;
    const documentation = fault.broken?.[0]?.documentation ?? 'https://docs.slack.dev/surfaces/modals#response_actions';
    return submissionFailed(workspace, view, 'app_error', { code: fault.code, detail, documentation });
  }
}

/** https://docs.slack.dev/surfaces/modals#response_actions */
function respond(workspace: Workspace, view: StoredView, answer: JsonObject): ActionOutcome {
  switch (answer.response_action) {
    case 'clear':
      dropModals(workspace.state, modalStack(workspace.state, view.userId));
      return { ok: true };
    case 'errors':
      return showErrors(view, answer);
    case 'update': {
      const source = checkedView(workspace, answer.view, 'modal', view);
      if (findView(workspace.state, { viewId: view.id })) replaceSource(workspace.state, view, source, workspace.now());
      return { ok: true };
    }
    case 'push':
      pushOnto(workspace, { userId: view.userId, source: checkedView(workspace, answer.view, 'modal'), below: view });
      return { ok: true };
    default:
      throw new ApiError('invalid_response_action');
  }
}

/** Errors can only be shown under input blocks. */
function showErrors(view: StoredView, answer: JsonObject): ActionOutcome {
  const errors = objectAt(answer, 'errors') ?? {};
  const inputBlocks = new Set(blocksOf(view).flatMap((block) => (block.type === 'input' ? block.block_id : [])));
  const entries = Object.entries(errors).map(([blockId, text]): [string, string] => [blockId, String(text)]);
  if (entries.length === 0 || entries.some(([blockId]) => !inputBlocks.has(blockId)))
    throw new ApiError('invalid_error_block_id');
  view.errors = Object.fromEntries(entries);
  return inputProblem('app_refused', view.errors);
}

function inputProblem(code: string, errors: { [blockId: string]: string }): ActionOutcome {
  return { ok: false, problem: { code, text: Object.values(errors).join(' '), at: 'inputs', errors } };
}

/** Closes the submitted view, which had no `response_action`, and reveals the one below. */
function closeTop(workspace: Workspace, view: StoredView): ActionOutcome {
  const stack = modalStack(workspace.state, view.userId);
  dropModals(workspace.state, view.source.clear_on_close === true ? stack : stack.filter((open) => open === view));
  return { ok: true };
}

/**
 * One for each menu in an input block of a modal that is set to `response_url_enabled`, for the conversation chosen in it.
 * https://docs.slack.dev/surfaces/modals#modal_response_url
 */
function viewResponseUrls(workspace: Workspace, view: StoredView): JsonObject[] {
  return heldElements(blocksOf(view)).flatMap(({ block, element }) => {
    const blockId = String(block.block_id);
    const actionId = String(element.action_id);
    const input = view.inputs[blockId]?.[actionId];
    if (block.type !== 'input' || element.response_url_enabled !== true || input?.kind !== 'ids') return [];
    return input.ids.map((channelId) => ({
      block_id: blockId,
      action_id: actionId,
      channel_id: channelId,
      response_url: responseUrl(workspace, { userId: view.userId, channelId }),
    }));
  });
}

/**
 * Closes the top modal or all modals, and sends `view_closed` for each with `notify_on_close`. `is_cleared` means that
 * the whole stack was closed. https://docs.slack.dev/surfaces/modals#handling_closures
 */
export function closeModals(workspace: Workspace, top: StoredView, extent: 'one' | 'all'): void {
  const stack = modalStack(workspace.state, top.userId);
  const all = extent === 'all' || top.source.clear_on_close === true;
  const closing = all ? stack : stack.filter((view) => view === top);
  const payloads = closing
    .filter((view) => view.source.notify_on_close === true)
    .map((view) => withoutInputs(workspace, view));
  dropModals(workspace.state, closing);
  workspace.touch();
  for (const view of payloads) {
    void deliver(workspace, {
      kind: 'interactive',
      name: 'view_closed',
      payload: { type: 'view_closed', ...payloadFacts(workspace, top.userId), view, is_cleared: all },
      acceptsResponse: false,
    });
  }
}

/** “… excluding any input blocks”: https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload#view_closed */
function withoutInputs(workspace: Workspace, view: StoredView): JsonObject {
  const json = viewJson(workspace, view);
  const inputs = new Set(blocksOf(view).flatMap(({ type, block_id }) => (type === 'input' ? [block_id] : [])));
  const values = Object.entries(objectAt(objectAt(json, 'state'), 'values') ?? {});
  return { ...json, state: { values: Object.fromEntries(values.filter(([blockId]) => !inputs.has(blockId))) } };
}
