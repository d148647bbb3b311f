import { viewJson } from '../api/view-json.ts';
import { deliver } from '../delivery/deliver.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { dropModals, modalStack } from '../state/views.ts';
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
    .map((view) => viewJson(workspace, view));
  dropModals(workspace.state, closing);
  workspace.touch();
  for (const view of payloads) {
    void deliver(workspace, {
      kind: 'interactive',
      name: 'view_closed',
      payload: { type: 'view_closed', ...payloadFacts(workspace, top.userId), view, is_cleared: extent === 'all' },
      acceptsResponse: false,
    });
  }
}
