import { deliver } from '../delivery/deliver.ts';
import type { Delivered } from '../delivery/transport.ts';
import { isObject, parseJson } from '../json.ts';
import type { Team } from '../people-api.ts';
import type { ActionOutcome } from '../person-actions.ts';
import { memberById, type Workspace } from '../runtime/workspace.ts';
import { escapedCommandText } from '../state/typed-text.ts';
import type { StoredChannel } from '../state/workspace-state.ts';
import { applyResponse } from './apply-response.ts';
import { payloadChannel, responseUrl } from './payload-facts.ts';
import { failureCode, problem } from './problem.ts';

type TypedCommand = {
  userId: string;
  channel: StoredChannel;
  /** The channel in which it was typed. */
  team: Team;
  command: string;
  text: string;
};

/** Sends a slash command to the app and posts its answer. https://docs.slack.dev/interactivity/implementing-slash-commands */
export async function runCommand(workspace: Workspace, input: TypedCommand): Promise<ActionOutcome> {
  const delivered = await deliver(workspace, {
    kind: 'slash_commands',
    name: input.command,
    payload: commandPayload(workspace, input),
    acceptsResponse: true,
  });
  if (!delivered.ok) return problem(failureCode(delivered), failureText(input.command, delivered), 'composer');
  return showAnswer(workspace, input, delivered.body);
}

function commandPayload(workspace: Workspace, input: TypedCommand) {
  const { app, state } = workspace;
  const { organisation } = state;
  const user = memberById(workspace, input.userId);
  const channel = payloadChannel(input.channel);
  const settings = app.commands.find(({ command }) => command === input.command);
  return {
    token: app.verificationToken,
    team_id: input.team.id,
    team_domain: input.team.domain,
    ...(organisation && { enterprise_id: organisation.id, enterprise_name: organisation.name }),
    channel_id: channel.id,
    channel_name: channel.name,
    user_id: user.id,
    user_name: user.name,
    command: input.command,
    text: settings?.shouldEscape ? escapedCommandText(state, input.text) : input.text,
    api_app_id: app.appId,
    is_enterprise_install: String(organisation !== undefined),
    response_url: responseUrl(workspace, { userId: user.id, channelId: channel.id }),
    trigger_id: workspace.triggers.issue({ userId: user.id, channelId: channel.id }),
  };
}

/** Text answers become private messages, JSON answers messages; empty answers show nothing. */
function showAnswer(workspace: Workspace, input: TypedCommand, body: string): ActionOutcome {
  if (body.trim() === '') return { ok: true };
  const parsed = parseJson(body);
  const answer = isObject(parsed) ? parsed : { text: body };
  if (Object.keys(answer).length === 0) return { ok: true };
  const { error } = applyResponse(
    workspace,
    { userId: input.userId, channelId: input.channel.id, typed: `${input.command} ${input.text}`.trim() },
    answer,
  );
  if (error === undefined) return { ok: true };
  return problem('app_error', `${input.command} failed with the error "${error}"`, 'composer');
}

function failureText(command: string, failed: Exclude<Delivered, { ok: true }>): string {
  switch (failed.reason) {
    case 'timeout':
      return `${command} failed because the app did not respond.`;
    case 'unreachable':
    case 'not_configured':
    case 'dropped':
      return `${command} failed with the error "dispatch_failed"`;
    case 'http_error':
      return `${command} failed with the error "http_service_error"`;
  }
}
