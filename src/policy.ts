import { pino } from 'pino';
import { type Config, readConfig } from './config/config.ts';
import {
  answerPolicyCommand,
  type CommandAnswer,
  POLICY_OPTIONS,
  type PolicyQuestion,
  type SlackLookUp,
} from './doctor/explain-policy.ts';
import { parseOptions, readCommandLine, UsageError } from './setup/usage.mjs';
import { findChannel } from './slack/api/channels.ts';
import { createSlackClients, slackLogger } from './slack/api/clients.ts';
import { type ConnectedDirectory, connectDirectory } from './slack/directory/connect.ts';

const SILENT = pino({ level: 'silent' });

const asked = readCommandLine('dist/policy.js', (args) => {
  const { values, positionals } = parseOptions(args, POLICY_OPTIONS, 'words');
  if (positionals.join() !== 'explain') throw new UsageError('The only command is explain.');
  return values;
});
const { text, isError } = await answer(process.env, asked);
(isError ? console.error : console.log)(text);
process.exitCode = isError ? 1 : 0;

/** `npm run policy -- explain`: who decides for a crew, where that is set, and what it means for a person. */
async function answer(env: NodeJS.ProcessEnv, question: PolicyQuestion): Promise<CommandAnswer> {
  const config = readConfig(env);
  if (config.ok) return answerPolicyCommand(config.value, question, createSlackLookUp(config.value));
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
