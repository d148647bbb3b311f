import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { parseOptions, readCommandLine } from '../../setup/usage.mjs';
import { cutLine } from '../../slack/ui/text/escape.ts';
import { CannotAudit } from '../ledger-command.ts';
import { ledgerSettings, wordsOfSlack } from '../ledger-environment.ts';
import { parseReportCommand, REPORT_OPTIONS, report } from './report.ts';

function tellUnnamed(): void {
  console.error('Slack could not be asked for names, so user groups are shown by their ids.');
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Nothing could be reported. */
const FAILED = 2;

// What reads the report may stop reading.
process.stdout.on('error', () => process.exit(FAILED));

try {
  const command = readCommandLine('dist/report.js', (args) =>
    parseReportCommand(parseOptions(args, REPORT_OPTIONS).values, Date.now()),
  );
  await report(command, {
    settings: ledgerSettings(process.env),
    namesOf: async (ids) => (await wordsOfSlack(ids, { env: process.env, unknown: tellUnnamed })).nameOf,
    foreign: cutLine,
    write,
    writeFile: (file, text) =>
      writeFile(file, text).catch(() => {
        throw new CannotAudit(`${file} can't be written.`);
      }),
    remark: (text) => console.error(text),
    now: Date.now(),
  });
} catch (error) {
  if (!(error instanceof CannotAudit)) throw error;
  console.error(error.message);
  process.exitCode = FAILED;
}
