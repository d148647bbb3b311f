import { createReadStream, statSync } from 'node:fs';
import { pino } from 'pino';
import { type Config, readConfig } from '../../config/config.ts';
import { withoutBlanks } from '../../config/environment.ts';
import { refuse } from '../../core/values/result.ts';
import { parseOptions, readCommandLine, UsageError } from '../../setup/usage.mjs';
import { findChannel } from '../../slack/api/channels.ts';
import { createSlackClients, slackLogger } from '../../slack/api/clients.ts';
import { type ConnectedDirectory, connectDirectory } from '../connect-directory.ts';
import { OPTIONS, type PolicyCommand, parsePolicyCommand } from './command.ts';
import type { SlackLookUp } from './explain-person.ts';
import { answerPolicyCommand, type PolicyQuestion } from './explain-policy.ts';
import { readRules } from './read-rules.ts';
import { replayExport } from './replay-export.ts';
import { readCases } from './rule-cases.ts';
import { tryCases } from './try-cases.ts';

const SILENT = pino({ level: 'silent' });

const command = readCommandLine('dist/policy.js', (args) => {
  const asked = parsePolicyCommand(parseOptions(args, OPTIONS, 'words'));
  if (asked === null) throw new UsageError('This isn’t one of the commands, or lacks something, or has too much.');
  return asked;
});
const { text, code, isError } = await carryOut(command, withoutBlanks(process.env));
(isError ? console.error : console.log)(text);
process.exitCode = code;

/** `isError`: nothing of what was asked could be said. */
interface Ended {
  text: string;
  code: 0 | 1 | 2;
  isError: boolean;
}

async function carryOut(asked: PolicyCommand, env: NodeJS.ProcessEnv): Promise<Ended> {
  switch (asked.kind) {
    case 'explain':
      return explain(asked.question, env);
    case 'test':
      return test(asked, env);
    case 'replay':
      return replay(asked, env);
  }
}

/** Who decides for a crew, where that is set, and what it means for a person. */
async function explain(question: PolicyQuestion, env: NodeJS.ProcessEnv): Promise<Ended> {
  const config = readConfig(env);
  if (!config.ok)
    return { text: ['The settings are incomplete:', ...config.refusal].join('\n- '), code: 1, isError: true };
  const answer = await answerPolicyCommand(config.value, question, createSlackLookUp(config.value));
  return { ...answer, code: answer.isError ? 1 : 0 };
}

/** Whether rules do what is expected of them, without Slack, Redis, network or secrets. */
function test({ file, crews }: Extract<PolicyCommand, { kind: 'test' }>, env: NodeJS.ProcessEnv): Ended {
  const rules = readRulesOf(crews, env);
  const cases = rules.ok ? readCases(file, rules.value.crews) : rules;
  if (!rules.ok || !cases.ok) return unreadable(cases.ok ? [] : cases.refusal);
  const { text, failed } = tryCases(cases.value.cases, { staff: cases.value.staff, places: rules.value.places });
  return { text, code: failed === 0 ? 0 : 1, isError: false };
}

/** Which decisions of an export other rules would not have allowed. */
async function replay(
  { file, crews, isVerified, fails }: Extract<PolicyCommand, { kind: 'replay' }>,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const rules = readRulesOf(crews, env);
  if (!rules.ok) return unreadable(rules.refusal);
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile) return unreadable([`${file} can't be read: there is no such file.`]);
  const replayed = await replayExport(() => createReadStream(file), { crews: rules.value.crews, isVerified });
  if (!replayed.ok) {
    const advice = isVerified ? ['--unverified judges what can be read all the same.'] : [];
    return unreadable([`${file}, ${replayed.refusal}.`, ...advice]);
  }
  const { text, notAllowed } = replayed.value;
  return { text, code: fails && notAllowed > 0 ? 1 : 0, isError: false };
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

/** @param path of a crews file; null for the one that the bot has */
function readRulesOf(path: string | null, env: NodeJS.ProcessEnv) {
  const file = path ?? env.CREWS_FILE;
  return file === undefined ? refuse(['Give --crews with a crews file, or set CREWS_FILE.']) : readRules(file, env);
}

function unreadable(mistakes: readonly string[]): Ended {
  return { text: mistakes.join('\n'), code: 2, isError: true };
}
