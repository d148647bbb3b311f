import { viewJson } from '../api/view-json.ts';
import { deliver } from '../delivery/deliver.ts';
import { type JsonObject, objectAt } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { blocksOf, dropModals, modalStack } from '../state/views.ts';
import type { StoredView } from '../state/workspace-state.ts';
import { payloadFacts } from './payload-facts.ts';

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
