import type { WebClient } from '@slack/web-api';
import type { Identity } from '../api/identity.ts';

/** Finds the address of the app's Home tab, once; null if Slack doesn't say which app this is. Never rejects. */
export function createHomeAddress(
  client: WebClient,
  { teamId, botId }: Pick<Identity, 'teamId' | 'botId'>,
): () => Promise<string | null> {
  let known: string | null = null;
  return async () => {
    known ??= botId === null ? null : await findAppId(client, botId);
    // https://docs.slack.dev/interactivity/deep-linking
    return known === null ? null : `slack://app?team=${teamId}&id=${known}&tab=home`;
  };
}

async function findAppId(client: WebClient, botId: string): Promise<string | null> {
  try {
    const { bot } = await client.bots.info({ bot: botId });
    return bot?.app_id ?? null;
  } catch {
    return null;
  }
}
