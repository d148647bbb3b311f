import { pino } from 'pino';
import { type Config, readConfig } from './config/config.ts';
import { answerPolicyCommand, type CommandAnswer, type SlackLookUp } from './doctor/explain-policy.ts';
import { findChannel } from './slack/api/channels.ts';
import { createSlackClients, slackLogger } from './slack/api/clients.ts';
import { type ConnectedDirectory, connectDirectory } from './slack/directory/connect.ts';

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
  let connecting: Promise<ConnectedDirectory | null> | null = null;
  const connected = () => {
    connecting ??= connectDirectory(background, SILENT).catch(() => null);
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
