// What `npm run audit` and `npm run report` are given: their settings, and what Slack says.

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

/** Each on its own, since an auditor's machine may have no more settings than it needs. */
export function ledgerSettings(env: Environment): LedgerSettings {
  const given = withoutBlanks(env);
  const read = <Value>(name: string, setting: z.ZodType<Value>): Value => {
    const { success, data, error } = setting.safeParse(given[name]);
    if (!success) throw new CannotAudit(`${name} ${error.issues[0]?.message}.`);
    return data;
  };
  return {
    redisUrl: () => read('REDIS_URL', SETTINGS.shape.REDIS_URL),
    secrets: () => read('APP_SECRET', SETTINGS.shape.APP_SECRET),
    auditDays: () => read('AUDIT_DAYS', SETTINGS.shape.AUDIT_DAYS),
  };
}

/** How long to wait for names. */
const NAMES_MS = 5_000;

const SILENT = pino({ level: 'silent' });

/** What Slack says for the sake of those who read. */
export interface SlackWords {
  /** What a person or user group is called; the id where Slack doesn't say. */
  nameOf(id: string): string;
  /** A link to a message of a channel; null where Slack wasn't asked. */
  linkTo: ((channel: string, ts: string) => string) | null;
}

const NO_WORDS: SlackWords = { nameOf: (id) => id, linkTo: null };

/**
 * What people and user groups are called. Without a bot token, their ids are all that there is.
 * @param unknown called where Slack can't be asked, or doesn't answer in time; then, too, they stay as they are
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
  const found = await Promise.race([words, delay(NAMES_MS, null, { ref: false })]).catch(() => null);
  if (found === null) unknown();
  return found ?? NO_WORDS;
}

/** The id of the person whom an option names, in whatever way. @throws {CannotAudit} if nobody, or not one person alone, is meant */
export async function personOf(option: string, text: string, env: Environment): Promise<string> {
  const person = await findPerson(text, slackClient(env));
  if (!person.ok) throw new CannotAudit(`--${option} ${person.refusal}`);
  return person.value;
}

/** Asks Slack as the app; null without a bot token. */
export function slackClient(env: Environment): WebClient | null {
  const settings = SETTINGS.pick({ SLACK_BOT_TOKEN: true, SLACK_API_URL: true }).safeParse(withoutBlanks(env));
  if (!settings.success) return null;
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = settings.data;
  return createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) }).background;
}
