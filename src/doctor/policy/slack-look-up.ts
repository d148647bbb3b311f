import { pino } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Directory } from '../../core/ports.ts';
import { findChannel } from '../../slack/api/channels.ts';
import { createSlackClients } from '../../slack/api/clients.ts';
import { slackLogger } from '../../slack/api/logger.ts';
import type { SlackLookUp } from './explain-person.ts';

/** Connects to Slack only once it is asked something. */
export function createSlackLookUp({ slack: { botToken: token, apiUrl } }: Pick<Config, 'slack'>): SlackLookUp {
  const { background } = createSlackClients({ token, apiUrl, logger: slackLogger(pino({ level: 'silent' })) });
  return {
    directory: connectDirectory(),
    channelId: (idOrName) => findChannel(background, idOrName).catch(() => null),
  };
}

/** Whom explanations ask about people. What can't be told counts against them. */
function connectDirectory(): Directory {
  return { account: async () => null, membersOf: async () => null };
}
