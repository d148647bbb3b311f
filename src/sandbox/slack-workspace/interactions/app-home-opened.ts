import { viewJson } from '../api/view-json.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { directMessage } from '../state/channels.ts';
import { homeOf } from '../state/views.ts';
import { sendEvent } from './event-payload.ts';
import { actionTs } from './payload-facts.ts';

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
