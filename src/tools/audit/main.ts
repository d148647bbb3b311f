import type { Entry } from '../../core/ledger/entry.ts';
import { DEFAULT_COMMAND } from '../../core/policy/crew.ts';
import type { PolicyConditions } from '../../core/policy/explained.ts';
import type { Millis } from '../../core/values/time.ts';
import { parseOptions, readCommandLine, UsageError } from '../../setup/usage.mjs';
import { runOf, storyOf, type Wording } from '../../slack/features/history/story.ts';
import { createSayings } from '../../slack/language/say.ts';
import { cutLine } from '../../slack/ui/text/escape.ts';
import { utc } from '../../slack/ui/text/moment.ts';
import { ledgerSettings, personOf, runLedgerCommand, wordsOfSlack } from '../ledger-environment.ts';
import { AUDIT_OPTIONS, audit, parseAuditCommand } from './audit.ts';

/** The story of a run names no command. */
const say = createSayings(DEFAULT_COMMAND).in('en');

/** Returns the story of a run in English, with Slack's names of people and groups beside their ids. */
async function story(entries: readonly Entry[], conditions: PolicyConditions): Promise<string[]> {
  const mentioned = new Set<string>();
  const ids = (id: string) => {
    mentioned.add(id);
    return id;
  };
  storyOf(entries, wordingOf(ids), conditions);
  const { nameOf } = await words([...mentioned]);
  const name = (id: string) => (nameOf(id) === id ? id : `${cutLine(nameOf(id), NAME_LENGTH)} (${id})`);
  const run = runOf(entries);
  const heading = run === null ? [] : [say('history.run', { ref: entries[0]?.ref ?? '', ...run }), ''];
  return [
    ...heading,
    ...storyOf(entries, wordingOf(name), conditions).map(({ at, text }) => `${momentOf(at)}  ${text}`),
  ];
}

const words = (ids: readonly string[]) => wordsOfSlack(ids, { env: process.env, unknown: tellUnnamed });

function tellUnnamed(): void {
  console.error('Slack could not be asked for names, so people are shown by their ids.');
}

const NAME_LENGTH = 80;
const TEXT_LENGTH = 200;

function wordingOf(name: Wording['name']): Wording {
  return { say, name, foreign: (text) => cutLine(text, TEXT_LENGTH), moment: (at, sentence) => sentence(momentOf(at)) };
}

function momentOf(at: Millis): string {
  return utc(at, say, 'YYYY-MM-DD HH:MM:SS'.length);
}

await runLedgerCommand(process, async (io) => {
  const command = readCommandLine('dist/audit.js', (args) => {
    const parsed = parseAuditCommand(parseOptions(args, AUDIT_OPTIONS, 'words'), Date.now());
    if (parsed === null) throw new UsageError('This isn’t one of the commands, or lacks something, or has too much.');
    return parsed;
  });
  return audit(command, {
    ...io,
    settings: ledgerSettings(process.env),
    story,
    words,
    personOf: (text) => personOf('by', text, process.env),
    foreign: cutLine,
    now: Date.now(),
  });
});
