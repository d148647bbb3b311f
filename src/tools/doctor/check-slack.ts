import { type Logger, WebAPIHTTPError, WebClient } from '@slack/web-api';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import type { SlackMode } from '../../config/environment.ts';
import { findChannel } from '../../slack/api/channels.ts';
import type { SlackClients } from '../../slack/api/clients.ts';
import { slackErrorName } from '../../slack/api/errors.ts';
import { fetchIdentity, type Identity } from '../../slack/api/identity.ts';
import { createWorkspaces, fetchWorkspaces, type Workspaces } from '../../slack/api/workspaces.ts';
import { doubtful, type Finding, fine, unchecked, wrong } from './finding.ts';
import { POLICY_SCOPES } from './rule-sets.ts';

const TOKEN = 'Slack token';
const APP_TOKEN = 'Slack app token';
const APP_TOKEN_MS = 10_000;
const SAME_APP = 'Not checked: whether it belongs to the same app as SLACK_BOT_TOKEN.';

/** Checks the bot token by asking Slack which bot it belongs to. */
export async function checkSlackToken({
  background,
}: SlackClients): Promise<{ finding: Finding; identity: Identity | null }> {
  try {
    const identity = await fetchIdentity(background);
    const place = identity.installation.kind === 'organisation' ? 'the organisation ' : '';
    return { finding: fine(TOKEN, `the bot is @${identity.botName} in ${place}${identity.workspaceUrl}`), identity };
  } catch (error) {
    return { finding: refusalOf(TOKEN, 'SLACK_BOT_TOKEN', error), identity: null };
  }
}

const ADD_WORKSPACE =
  'An admin of the organisation adds it: Organization settings, Integrations, Installed apps, ⋯ beside it, Add to more workspaces.';

/** Names the workspaces of an organisation to which the app was added. Installing it adds it to none. */
export async function checkWorkspaces({ installation }: Identity, client: WebClient): Promise<Finding[]> {
  if (installation.kind === 'workspace') return [];
  const about = 'Slack workspaces';
  try {
    const names = (await fetchWorkspaces(client)).map(({ id, name }) => `${name} (${id})`);
    return [names.length === 0 ? wrong(about, 'the app is in none.', ADD_WORKSPACE) : fine(about, names.join(', '))];
  } catch (error) {
    return [doubtful(about, `couldn't ask Slack (${slackErrorName(error) ?? 'no answer'}).`, 'Run this again.')];
  }
}

/** Checks that the app has the scopes of the manifest, apart from those that only some policies need. */
export function checkScopes({ scopes }: Identity, manifest: ManifestScopes): Finding {
  const about = 'Slack scopes';
  const missing = manifest.required.filter((scope) => !scopes.has(scope));
  if (scopes.size === 0)
    return doubtful(about, "Slack doesn't say which.", 'Compare OAuth & Permissions with manifest.yml.');
  if (missing.length > 0)
    return wrong(
      about,
      `missing: ${missing.map((scope) => (WITHOUT[scope] === undefined ? scope : `${scope} (${WITHOUT[scope]})`)).join(', ')}.`,
      'Add them under OAuth & Permissions (manifest.yml lists them all) and reinstall the app.',
    );
  const absent = manifest.optional.filter((scope) => !scopes.has(scope) && !POLICY_SCOPES.has(scope));
  const without = absent.map((scope) => `${scope} (${WITHOUT[scope] ?? 'optional'})`);
  return fine(about, `all that are required${without.length === 0 ? '' : `; without ${without.join(', ')}`}.`);
}

/** Consequences of missing scopes that the bot can work without. */
const WITHOUT: Record<string, string> = {
  'metadata.message:read': 'deleted cards stay away, and a message may appear twice if Slack did not confirm it',
  'chat:write.public': 'the bot must be invited to public channels too',
};

/**
 * Checks how Slack's requests reach the bot. In Socket Mode it tries the app-level token by asking for a connection's
 * address, without connecting: https://docs.slack.dev/reference/methods/apps.connections.open
 */
export async function checkSlackMode(
  mode: SlackMode,
  { apiUrl, publicUrl, logger }: { apiUrl: string; publicUrl: string; logger: Logger },
): Promise<Finding> {
  if (mode.kind === 'http')
    return unchecked(
      'Slack mode',
      `HTTP. Not checked: whether the request URLs of the app are ${publicUrl}/slack/events, and SLACK_SIGNING_SECRET is its own.`,
    );
  const client = new WebClient(mode.appToken, {
    slackApiUrl: apiUrl,
    timeout: APP_TOKEN_MS,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    logger,
  });
  try {
    await client.apps.connections.open({});
    return fine(APP_TOKEN, `can open Socket Mode connections. ${SAME_APP}`);
  } catch (error) {
    return refusalOf(APP_TOKEN, 'SLACK_APP_TOKEN', error);
  }
}

/** Slack doesn't tell the name of the app's command; only people who type it see it. */
export function checkCommand(command: string): Finding {
  return unchecked(
    'Slash command',
    `${command}, as COMMAND says. Not checked: whether the app calls it the same, under Slash Commands in its settings; if not, what people type there doesn't start anything, and the bot logs it.`,
  );
}

const ADVICE: Record<string, string> = {
  missing_scope: 'Give the app-level token the scope connections:write.',
  not_allowed_token_type: 'Use an app-level token, which starts with xapp-.',
  not_allowed: 'Enable Socket Mode in the settings of the app.',
};

function refusalOf(about: string, variable: string, error: unknown): Finding {
  const name = slackErrorName(error);
  if (name !== null)
    return wrong(about, `Slack refused it (${name}).`, ADVICE[name] ?? `Copy ${variable} from the app again.`);
  const observation =
    error instanceof WebAPIHTTPError ? `Slack answered ${error.statusCode}.` : "couldn't reach Slack.";
  return wrong(about, observation, 'Check the network, the proxy and SLACK_API_URL.');
}

/** Checks that the channels of the crews and of checkpoints exist, and that the bot can post there. */
export async function checkChannels(
  { crews, audit }: Pick<Config, 'crews' | 'audit'>,
  client: WebClient,
  identity: Identity,
): Promise<Finding[]> {
  const slack = { client, identity, workspaces: createWorkspaces(client, identity) };
  const check = (about: string, channel: string) => checkChannel({ about, channel }, slack);
  const ofCrews = crews.map(({ name, channel }) => {
    const about = `Channel of ${name}`;
    return channel === null
      ? unchecked(about, 'none set: runs that are started elsewhere are not followed.')
      : check(about, channel);
  });
  const ofAudit = audit.channel === null ? [] : [check('Audit channel', audit.channel)];
  return Promise.all([...ofCrews, ...ofAudit]);
}

async function checkChannel(
  { about, channel: idOrName }: { about: string; channel: string },
  { client, identity, workspaces }: { client: WebClient; identity: Identity; workspaces: Workspaces },
): Promise<Finding> {
  const invite = `Type /invite @${identity.botName} in it, or correct its name or id.`;
  try {
    const id = await findChannel({ client, workspaces }, idOrName);
    if (id === null) return wrong(about, `the bot can't see a channel called ${idOrName}.`, invite);
    const { channel } = await client.conversations.info({ channel: id });
    if (channel?.is_archived) return wrong(about, `${idOrName} is archived.`, 'Choose another one.');
    if (channel?.is_member) return fine(about, `${idOrName}, and the bot is in it.`);
    if (identity.scopes.has('chat:write.public') && !channel?.is_private)
      return fine(about, `${idOrName}, a public channel that the bot can post in.`);
    return wrong(about, `the bot isn't in ${idOrName}.`, invite);
  } catch (error) {
    const name = slackErrorName(error);
    if (name === 'channel_not_found')
      return wrong(about, `${idOrName} doesn't exist, or is private and the bot isn't in it.`, invite);
    if (name === 'team_access_not_granted')
      return wrong(about, `${idOrName} is in a workspace that the app was not added to.`, ADD_WORKSPACE);
    return doubtful(about, `couldn't ask Slack (${name ?? 'no answer'}).`, 'Run this again.');
  }
}

/** The scopes of the Slack app: those the bot needs, and those it can do without. */
export interface ManifestScopes {
  required: string[];
  optional: string[];
}

const MANIFEST = z.object({
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
});

/** Reads the scopes from the app's manifest. Throws if it isn't one. */
export function manifestScopes(text: string): ManifestScopes {
  const { bot, bot_optional: optional } = MANIFEST.parse(parse(text)).oauth_config.scopes;
  return { required: bot.filter((scope) => !optional.includes(scope)), optional };
}
