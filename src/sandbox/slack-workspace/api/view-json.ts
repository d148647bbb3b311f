import { stateValues } from '../inputs/state-values.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { blocksOf } from '../state/views.ts';
import type { StoredView } from '../state/workspace-state.ts';
import { fileFinder } from './file-json.ts';

/** A view as it appears in the Web API and interactions. https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export function viewJson(workspace: Workspace, view: StoredView): JsonObject {
  const { app, state } = workspace;
  const blocks: Json[] = blocksOf(view);
  const { source } = view;
  return {
    id: view.id,
    team_id: state.team.id,
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
    app_installed_team_id: state.team.id,
    bot_id: app.botId,
  };
}
