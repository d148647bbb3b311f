import { memberById, type Workspace } from '../runtime/workspace.ts';
import type { StoredChannel } from '../state/workspace-state.ts';

/**
 * The fields common to all interaction payloads. An organisation's app gets no workspace, but the person's home workspace,
 * wherever they are: https://github.com/slackapi/deno-slack-sdk/issues/267, https://github.com/slackapi/bolt-js/issues/1875
 * https://docs.slack.dev/reference/interaction-payloads
 */
export function payloadFacts(workspace: Workspace, userId: string) {
  const { app, state } = workspace;
  const { team, organisation } = state;
  const user = memberById(workspace, userId);
  return {
    team: organisation ? null : { id: team.id, domain: team.domain },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: app.appId,
    token: app.verificationToken,
    enterprise: organisation ? { id: organisation.id, name: organisation.name } : null,
    is_enterprise_install: organisation !== undefined,
  };
}

/** Payloads don't reveal the names of private channels and direct messages. */
export function payloadChannel(channel: StoredChannel): { id: string; name: string } {
  const name = { public: channel.name, private: 'privategroup', im: 'directmessage' }[channel.kind];
  return { id: channel.id, name };
}

/** The current time in seconds with six decimals, as in `action_ts`. */
export function actionTs(workspace: Workspace): string {
  return (workspace.now() / 1000).toFixed(6);
}

export function responseUrl(workspace: Workspace, target: Parameters<Workspace['responseUrls']['issue']>[0]): string {
  return `${workspace.origin()}${workspace.responseUrls.issue(target)}`;
}
