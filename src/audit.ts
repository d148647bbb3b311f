import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import type { z } from 'zod';
import { SETTINGS, withoutBlanks } from './config/environment.ts';
import { parseApprover } from './core/approval/policy/policy.ts';
import type { Entry } from './core/ledger/entry.ts';
import type { Millis } from './core/time.ts';
import { AUDIT_OPTIONS, type AuditSettings, audit, CannotAudit, parseAuditCommand } from './ledger/audit.ts';
import { parseOptions, readCommandLine, UsageError } from './setup/usage.mjs';
import { createSlackClients, slackLogger } from './slack/api/clients.ts';
import { connectDirectory } from './slack/directory/connect.ts';
import { runOf, storyOf, type Wording } from './slack/features/history/story.ts';
import { sayIn } from './slack/language/say.ts';
import { cutLine } from './slack/ui/text/escape.ts';
import { utc } from './slack/ui/text/moment.ts';

const SILENT = pino({ level: 'silent' });

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

/** The story of a run in English, with the names that Slack has for people and groups beside their ids. */
async function story(entries: readonly Entry[]): Promise<string[]> {
  const mentioned = new Set<string>();
  const ids = (id: string) => {
    mentioned.add(id);
    return id;
  };
  storyOf(entries, wordingOf(ids));
  const nameOf = await namesOf([...mentioned]);
  const name = (id: string) => (nameOf(id) === id ? id : `${cutLine(nameOf(id), NAME_LENGTH)} (${id})`);
  const run = runOf(entries);
  const heading = run === null ? [] : [sayIn('en')('history.run', { ref: entries[0]?.ref ?? '', ...run }), ''];
  return [...heading, ...storyOf(entries, wordingOf(name)).map(({ at, text }) => `${momentOf(at)}  ${text}`)];
}

const NAME_LENGTH = 80;
const TEXT_LENGTH = 200;

function wordingOf(name: Wording['name']): Wording {
  return { say: sayIn('en'), name, foreign: (text) => cutLine(text, TEXT_LENGTH), moment: momentOf };
}

function momentOf(at: Millis): string {
  return utc(at, sayIn('en'), 'YYYY-MM-DD HH:MM:SS'.length);
}

/** How long a story waits for names. */
const NAMES_MS = 5_000;

/** Without a bot token, or where Slack doesn't answer in time, ids are all that there is. */
async function namesOf(ids: readonly string[]): Promise<(id: string) => string> {
  const settings = SETTINGS.pick({ SLACK_BOT_TOKEN: true, SLACK_API_URL: true }).safeParse(withoutBlanks(process.env));
  const approvers = ids.flatMap((id) => parseApprover(id) ?? []);
  if (!settings.success || approvers.length === 0) return (id) => id;
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = settings.data;
  const { background } = createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) });
  const names = connectDirectory(background, SILENT).then(({ directory }) => directory.approverNames(approvers));
  const found = await Promise.race([names, delay(NAMES_MS, null, { ref: false })]).catch(() => null);
  if (found === null) console.error('Slack could not be asked for names, so people are shown by their ids.');
  return found ?? ((id) => id);
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Nothing of what a command wants to say was wrong, but it couldn't be carried out. */
const FAILED = 2;

// What reads an export may stop reading.
process.stdout.on('error', () => process.exit(FAILED));

try {
  const command = readCommandLine('dist/audit.js', (args) => {
    const asked = parseAuditCommand(parseOptions(args, AUDIT_OPTIONS, 'words'));
    if (asked === null) throw new UsageError('This isn’t one of the commands, or lacks something, or has too much.');
    return asked;
  });
  process.exitCode = await audit(command, {
    settings: settingsOf(process.env),
    story,
    write,
    now: Date.now(),
  });
} catch (error) {
  if (!(error instanceof CannotAudit)) throw error;
  console.error(error.message);
  process.exitCode = FAILED;
}
