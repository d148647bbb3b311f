import type { Logger } from '@slack/bolt';
import { WebAPIHTTPError, WebClient } from '@slack/web-api';
import type { SlackMode } from '../config/slack-mode.ts';
import type { SlackClients } from '../slack/api/clients.ts';
import { slackErrorName } from '../slack/api/errors.ts';
import { fetchIdentity, type Identity } from '../slack/api/identity.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';
import type { ManifestScopes } from './manifest-scopes.ts';

const TOKEN = 'Slack token';
const APP_TOKEN = 'Slack app token';
const APP_TOKEN_MS = 10_000;

/** Who the bot is, or why Slack doesn't say. */
export async function checkSlackToken({
  background,
}: SlackClients): Promise<{ finding: Finding; identity: Identity | null }> {
  try {
    const identity = await fetchIdentity(background);
    return { finding: fine(TOKEN, `the bot is @${identity.botName} in ${identity.workspaceUrl}`), identity };
  } catch (error) {
    return { finding: whyRefused(TOKEN, 'SLACK_BOT_TOKEN', error), identity: null };
  }
}

/** Whether the app was installed with what the manifest asks for. */
export function checkScopes({ scopes }: Identity, manifest: ManifestScopes): Finding {
  const about = 'Slack scopes';
  const missing = manifest.required.filter((scope) => !scopes.has(scope));
  if (scopes.size === 0)
    return doubtful(about, 'Slack does not name them.', 'Compare OAuth & Permissions with manifest.yml.');
  if (missing.length > 0)
    return wrong(
      about,
      `missing: ${missing.join(', ')}.`,
      'Add them under OAuth & Permissions (manifest.yml has them all) and install the app again.',
    );
  const left = manifest.optional.filter((scope) => !scopes.has(scope));
  const without = left.map((scope) => `${scope} (${WITHOUT[scope] ?? 'optional'})`);
  return fine(about, `all that are needed${without.length === 0 ? '' : `; without ${without.join(', ')}`}.`);
}

/** What the bot does where an optional scope was left out. */
const WITHOUT: Record<string, string> = {
  'chat:write.public': 'the bot has to be invited to public channels too',
  'channels:history': 'a message whose posting was in doubt may appear twice',
  'groups:history': 'the same in private channels',
};

/**
 * How requests of Slack reach the bot. In Socket Mode the app-level token is tried by asking for the address of a connection,
 * which is not made: https://docs.slack.dev/reference/methods/apps.connections.open
 */
export async function checkSlackMode(
  mode: SlackMode,
  { apiUrl, publicUrl, logger }: { apiUrl: string; publicUrl: string; logger: Logger },
): Promise<Finding> {
  if (mode.kind === 'http')
    return fine('Slack mode', `HTTP; the request URLs of the app have to be ${publicUrl}/slack/events`);
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
    return fine(APP_TOKEN, 'opens connections for Socket Mode.');
  } catch (error) {
    return whyRefused(APP_TOKEN, 'SLACK_APP_TOKEN', error);
  }
}

const ADVICE: Record<string, string> = {
  missing_scope: 'Give the app-level token the scope connections:write.',
  not_allowed_token_type: 'Use an app-level token, which begins with xapp-.',
  not_allowed: 'Switch on Socket Mode in the settings of the app.',
};

function whyRefused(about: string, variable: string, error: unknown): Finding {
  const name = slackErrorName(error);
  if (name !== null)
    return wrong(about, `Slack refuses it (${name}).`, ADVICE[name] ?? `Copy ${variable} from the app once more.`);
  const found =
    error instanceof WebAPIHTTPError ? `Slack answers with ${error.statusCode}.` : 'Slack can not be reached.';
  return wrong(about, found, 'Check the network, a proxy, and SLACK_API_URL.');
}
