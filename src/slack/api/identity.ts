import type { WebClient } from '@slack/web-api';

/** The bot's identity in the workspace that it is installed in, fetched once at start. */
export interface Identity {
  teamId: string;
  botUserId: string;
  botId: string | null;
  /** The name for `/invite @name`. */
  botName: string;
  /** Ends in a slash; links to messages begin with it. */
  workspaceUrl: string;
  /** The token's scopes, if Slack named them. */
  scopes: ReadonlySet<string>;
}

/** Throws what the client throws: the operator has to fix a wrong token before anything runs. */
export async function fetchIdentity(client: WebClient): Promise<Identity> {
  const answer = await client.auth.test();
  return {
    teamId: answer.team_id ?? '',
    botUserId: answer.user_id ?? '',
    botId: answer.bot_id ?? null,
    botName: answer.user ?? 'Signoff',
    workspaceUrl: withSlash(answer.url ?? 'https://slack.com/'),
    scopes: new Set(answer.response_metadata?.scopes ?? []),
  };
}

/** A link to a message, in its thread where it is a reply. https://docs.slack.dev/reference/methods/chat.getPermalink */
export function permalink(identity: Identity, channel: string, ts: string, threadTs: string | null): string {
  const address = `${identity.workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;
  return threadTs === null || threadTs === ts ? address : `${address}?thread_ts=${threadTs}&cid=${channel}`;
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
