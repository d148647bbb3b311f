import { once } from 'node:events';
import type { z } from 'zod';
import { SETTINGS, withoutBlanks } from './config/environment.ts';
import { type AuditSettings, audit, CannotAudit } from './ledger/audit.ts';

/** Each on its own, since an auditor's machine may have no more settings than it needs. */
function settingsOf(env: NodeJS.ProcessEnv): AuditSettings {
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

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Nothing of what a command wants to say was wrong, but it couldn't be carried out. */
const FAILED = 2;

// What reads an export may stop reading.
process.stdout.on('error', () => process.exit(FAILED));

try {
  process.exitCode = await audit(process.argv.slice(2), { settings: settingsOf(process.env), write, now: Date.now() });
} catch (error) {
  if (!(error instanceof CannotAudit)) throw error;
  console.error(error.message);
  process.exitCode = FAILED;
}
