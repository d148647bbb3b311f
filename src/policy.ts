import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { type Config, readConfig } from './config/config.ts';
import type { Directory } from './core/ports.ts';
import { answerPolicyCommand, type CommandAnswer, type SlackLookUp } from './doctor/explain-policy.ts';
import { findChannel } from './slack/api/channels.ts';
import { createSlackClients, slackLogger } from './slack/api/clients.ts';
import { fetchIdentity } from './slack/api/identity.ts';
import { createSlackUsers } from './slack/api/users.ts';
import { createWorkspaces, type Workspaces } from './slack/api/workspaces.ts';
import { createDirectory, createLookUps } from './slack/directory/directory.ts';

const SILENT = pino({ level: 'silent' });

const { text, isError } = await answer(process.env, process.argv.slice(2));
(isError ? console.error : console.log)(text);
process.exitCode = isError ? 1 : 0;

/** `npm run policy -- explain`: who decides for a crew, where that is set, and what it means for a person. */
async function answer(env: NodeJS.ProcessEnv, args: string[]): Promise<CommandAnswer> {
  const config = readConfig(env);
  if (config.ok) return answerPolicyCommand(config.value, args, createSlackLookUp(config.value));
  return { text: ['The settings are incomplete:', ...config.refusal].join('\n- '), isError: true };
}

/** Connects to Slack only once it is asked something. */
function createSlackLookUp({ slack: { botToken: token, apiUrl } }: Pick<Config, 'slack'>): SlackLookUp {
  const { background } = createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) });
  let connecting: Promise<Connected | null> | null = null;
  const connected = () => {
    connecting ??= connect(background).catch(() => null);
    return connecting;
  };
  return {
    // Null, which counts against people, if Slack can't be reached.
    directory: {
      account: async (personId) => (await connected())?.directory.account(personId) ?? null,
      membersOf: async (approver, channel, among) =>
        (await connected())?.directory.membersOf(approver, channel, among) ?? null,
    },
    channelId: async (idOrName) => {
      const slack = await connected();
      return slack && findChannel({ client: background, ...slack }, idOrName).catch(() => null);
    },
  };
}

interface Connected {
  directory: Directory;
  workspaces: Workspaces;
}

async function connect(client: WebClient): Promise<Connected> {
  const identity = await fetchIdentity(client);
  const workspaces = createWorkspaces(client, identity);
  const lookUps = createLookUps(client, { slackUsers: createSlackUsers(client), workspaces });
  return { directory: createDirectory(lookUps, { identity, log: SILENT }), workspaces };
}
