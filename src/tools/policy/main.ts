import { createReadStream, statSync } from 'node:fs';
import { pino } from 'pino';
import { SETTINGS, withoutBlanks } from '../../config/environment.ts';
import { DEFAULT_COMMAND } from '../../core/policy/crew.ts';
import { parseOptions, readCommandLine, UsageError } from '../../setup/usage.mjs';
import { findChannel } from '../../slack/api/channels.ts';
import { type ConnectedDirectory, connectDirectory } from '../connect-directory.ts';
import { findPerson } from '../find-person.ts';
import { slackClient } from '../ledger-environment.ts';
import { OPTIONS, type PolicyCommand, parsePolicyCommand } from './command.ts';
import type { SlackLookUp } from './explain-person.ts';
import { answerPolicyCommand } from './explain-policy.ts';
import { readOnlyCrew, readRules } from './read-rules.ts';
import { replayExport } from './replay-export.ts';
import { readCases } from './rule-cases.ts';
import { tryCases } from './try-cases.ts';

const SILENT = pino({ level: 'silent' });

const command = readCommandLine('dist/policy.js', (args) => {
  const command = parsePolicyCommand(parseOptions(args, OPTIONS, 'words'));
  if (command === null) throw new UsageError('This isn’t one of the commands, or lacks something, or has too much.');
  return command;
});
const { text, code, isError } = await carryOut(command, withoutBlanks(process.env));
(isError ? console.error : console.log)(text);
process.exitCode = code;

/** `isError`: the question couldn't be answered. */
interface Ended {
  text: string;
  code: 0 | 1 | 2;
  isError: boolean;
}

async function carryOut(policyCommand: PolicyCommand, env: NodeJS.ProcessEnv): Promise<Ended> {
  switch (policyCommand.kind) {
    case 'explain':
      return explain(policyCommand, env);
    case 'test':
      return test(policyCommand, env);
    case 'replay':
      return replay(policyCommand, env);
  }
}

/** Explains who decides for a crew, where that is set, and what it means for a person. Only the person takes Slack. */
async function explain(
  { question, crews }: Extract<PolicyCommand, { kind: 'explain' }>,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const rules = readRulesOf(crews, env);
  if (!rules.ok) return { text: rules.refusal.join('\n'), code: 1, isError: true };
  const command = SETTINGS.shape.COMMAND.safeParse(env.COMMAND).data ?? DEFAULT_COMMAND;
  const answer = await answerPolicyCommand({ ...rules.value, command }, question, createSlackLookUp(env));
  return { ...answer, code: answer.isError ? 1 : 0 };
}

/** Tests rules against expectations, without Slack, Redis, network or secrets. */
function test({ file, crews }: Extract<PolicyCommand, { kind: 'test' }>, env: NodeJS.ProcessEnv): Ended {
  const rules = readRulesOf(crews, env);
  const cases = rules.ok ? readCases(file, rules.value.crews) : rules;
  if (!rules.ok || !cases.ok) return unreadable(cases.ok ? [] : cases.refusal);
  const { text, failed } = tryCases(cases.value.cases, { staff: cases.value.staff, places: rules.value.places });
  return { text, code: failed === 0 ? 0 : 1, isError: false };
}

/** Finds decisions of an export that other rules would not have allowed. */
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

/** Connects to Slack at the first question. Returns null without a token. */
function createSlackLookUp(env: NodeJS.ProcessEnv): SlackLookUp | null {
  const background = slackClient(env);
  if (background === null) return null;
  let connecting: Promise<ConnectedDirectory | null> | null = null;
  const connected = () => {
    connecting ??= connectDirectory(background, SILENT).catch(() => null);
    return connecting;
  };
  return {
    personId: (text) => findPerson(text, background),
    // A null, if Slack can't be reached, counts against people.
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

/** @param path of a crews file; null for the rules that the bot has */
function readRulesOf(path: string | null, env: NodeJS.ProcessEnv) {
  const file = path ?? env.CREWS_FILE;
  return file === undefined ? readOnlyCrew(env) : readRules(file, env);
}

function unreadable(mistakes: readonly string[]): Ended {
  return { text: mistakes.join('\n'), code: 2, isError: true };
}
