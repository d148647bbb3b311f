import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Directory } from '../../core/ports.ts';
import { findChannel } from '../../slack/api/channels.ts';
import { createSlackClients, slackLogger } from '../../slack/api/clients.ts';
import { fetchIdentity } from '../../slack/api/identity.ts';
import { createSlackUsers } from '../../slack/api/users.ts';
import { createDirectory, createLookUps } from '../../slack/directory/directory.ts';
import type { SlackLookUp } from './explain.ts';

const SILENT = pino({ level: 'silent' });

/** Connects to Slack only once it is asked something. */
export function createSlackLookUp({ slack: { botToken: token, apiUrl } }: Pick<Config, 'slack'>): SlackLookUp {
  const { background } = createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) });
  return {
    directory: connectDirectory(background),
    channelId: (idOrName) => findChannel(background, idOrName).catch(() => null),
  };
}

/** Whom explanations ask about people. What can't be told counts against them. */
function connectDirectory(client: WebClient): Directory {
  let connecting: Promise<Directory | null> | null = null;
  const connect = async (): Promise<Directory | null> => {
    try {
      const identity = await fetchIdentity(client);
      const lookUps = createLookUps(client, { slackUsers: createSlackUsers(client) });
      return createDirectory(lookUps, { identity, log: SILENT });
    } catch {
      return null;
    }
  };
  const directory = () => {
    connecting ??= connect();
    return connecting;
  };
  return {
    account: async (personId) => (await directory())?.account(personId) ?? null,
    membersOf: async (approver, channel) => (await directory())?.membersOf(approver, channel) ?? null,
  };
}
