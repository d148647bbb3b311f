import { writeFile } from 'node:fs/promises';
import { parseOptions, readCommandLine } from '../../setup/usage.mjs';
import { cutLine } from '../../slack/ui/text/escape.ts';
import { CannotAudit } from '../ledger-command.ts';
import { ledgerSettings, runLedgerCommand, wordsOfSlack } from '../ledger-environment.ts';
import { parseReportCommand, REPORT_OPTIONS, report } from './report.ts';

function tellUnnamed(): void {
  console.error('Slack could not be asked for names, so user groups are shown by their ids.');
}

await runLedgerCommand(process, async (io) => {
  const command = readCommandLine('dist/report.js', (args) =>
    parseReportCommand(parseOptions(args, REPORT_OPTIONS).values, Date.now()),
  );
  await report(command, {
    ...io,
    settings: ledgerSettings(process.env),
    namesOf: async (ids) => (await wordsOfSlack(ids, { env: process.env, unknown: tellUnnamed })).nameOf,
    foreign: cutLine,
    writeFile: (file, text) =>
      writeFile(file, text).catch(() => {
        throw new CannotAudit(`${file} can't be written.`);
      }),
    now: Date.now(),
  });
  return 0;
});
