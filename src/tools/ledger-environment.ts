// What `npm run audit` and `npm run report` are given: their settings, and the names that Slack has.

import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { z } from 'zod';
import { type Environment, SETTINGS, withoutBlanks } from '../config/environment.ts';
import { parseApprover } from '../core/policy/policy.ts';
import { createSlackClients, slackLogger } from '../slack/api/clients.ts';
import { connectDirectory } from './connect-directory.ts';
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

/**
 * What people and user groups are called. Without a bot token, their ids are all that there is.
 * @param unknown called where Slack can't be asked, or doesn't answer in time; then, too, they stay as they are
 */
export async function namesInSlack(
  ids: readonly string[],
  { env, unknown }: { env: Environment; unknown: () => void },
): Promise<(id: string) => string> {
  const settings = SETTINGS.pick({ SLACK_BOT_TOKEN: true, SLACK_API_URL: true }).safeParse(withoutBlanks(env));
  const approvers = ids.flatMap((id) => parseApprover(id) ?? []);
  if (!settings.success || approvers.length === 0) return (id) => id;
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = settings.data;
  const { background } = createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) });
  const names = connectDirectory(background, SILENT).then(({ directory }) => directory.approverNames(approvers));
  const found = await Promise.race([names, delay(NAMES_MS, null, { ref: false })]).catch(() => null);
  if (found === null) unknown();
  return found ?? ((id) => id);
}
