// The environment of `npm run audit` and `npm run report`: their settings, and names from Slack.

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import type { z } from 'zod';
import { type Environment, SETTINGS, withoutBlanks } from '../config/environment.ts';
import { parseApprover } from '../core/policy/policy.ts';
import { createSlackClients, slackLogger } from '../slack/api/clients.ts';
import { permalink } from '../slack/api/identity.ts';
import { connectDirectory } from './connect-directory.ts';
import { findPerson } from './find-person.ts';
import { CannotAudit, type LedgerSettings } from './ledger-command.ts';

/** Reads each setting on its own, because an auditor's machine may have no others. */
export function ledgerSettings(env: Environment): LedgerSettings {
  const variables = withoutBlanks(env);
  const read = <Value>(name: string, setting: z.ZodType<Value>): Value => {
    const { success, data, error } = setting.safeParse(variables[name]);
    if (!success) throw new CannotAudit(`${name} ${error.issues[0]?.message}.`);
    return data;
  };
  return {
    redisUrl: () => read('REDIS_URL', SETTINGS.shape.REDIS_URL),
    secrets: () => read('APP_SECRET', SETTINGS.shape.APP_SECRET),
    auditDays: () => read('AUDIT_DAYS', SETTINGS.shape.AUDIT_DAYS),
  };
}

/** Exit code of a command that couldn't be carried out, as opposed to one that found something wrong. */
const FAILED = 2;

/** Runs a command as a program of its own. It resolves to the exit code; a `CannotAudit` is printed. */
export async function runLedgerCommand(
  program: NodeJS.Process,
  run: (io: {
    /** Resolves when more may be written. */
    write: (text: string) => Promise<void>;
    remark: (text: string) => void;
  }) => Promise<number>,
): Promise<void> {
  const { stdout, stderr } = program;
  // The program that reads the output may stop reading.
  stdout.on('error', () => program.exit(FAILED));
  const remark = (text: string) => void stderr.write(`${text}\n`);
  const write = async (text: string) => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  try {
    program.exitCode = await run({ write, remark });
  } catch (error) {
    if (!(error instanceof CannotAudit)) throw error;
    remark(error.message);
    program.exitCode = FAILED;
  }
}

/** Time to wait for names. */
const NAMES_MS = 5_000;

const SILENT = pino({ level: 'silent' });

/** Names and links for readers. */
export interface SlackWords {
  /** Returns the name of a person or user group, or the id if Slack doesn't say. */
  nameOf(id: string): string;
  /** Returns a link to a message; null if Slack wasn't asked. */
  linkTo: ((channel: string, ts: string) => string) | null;
}

const NO_WORDS: SlackWords = { nameOf: (id) => id, linkTo: null };

/**
 * Asks Slack for the names of people and user groups. Without a bot token, their ids are used.
 * @param unknown called if Slack can't be asked, or doesn't answer in time; their ids are used then, too
 */
export async function wordsOfSlack(
  ids: readonly string[],
  { env, unknown }: { env: Environment; unknown: () => void },
): Promise<SlackWords> {
  const client = slackClient(env);
  const approvers = ids.flatMap((id) => parseApprover(id) ?? []);
  if (client === null || approvers.length === 0) return NO_WORDS;
  const words = connectDirectory(client, SILENT).then(async ({ directory, identity }): Promise<SlackWords> => {
    const nameOf = await directory.approverNames(approvers);
    return { nameOf, linkTo: (channel, ts) => permalink(identity, channel, ts, null) };
  });
  const answer = await Promise.race([words, delay(NAMES_MS, null, { ref: false })]).catch(() => null);
  if (answer === null) unknown();
  return answer ?? NO_WORDS;
}

/** Returns the id of the person that an option names in any way. @throws {CannotAudit} if it fits nobody, or several */
export async function personOf(option: string, text: string, env: Environment): Promise<string> {
  const person = await findPerson(text, slackClient(env));
  if (!person.ok) throw new CannotAudit(`--${option} ${person.refusal}`);
  return person.value;
}

/** Returns a client for Slack; null without a bot token. */
export function slackClient(env: Environment): WebClient | null {
  const settings = SETTINGS.pick({ SLACK_BOT_TOKEN: true, SLACK_API_URL: true }).safeParse(withoutBlanks(env));
  if (!settings.success) return null;
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = settings.data;
  return createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) }).background;
}
