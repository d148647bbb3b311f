import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { SampleProject } from './sample-project.ts';

/** The environment variable for the crews' token. */
export const TOKEN_VARIABLE = 'DEMO_CREW_TOKEN';

type CrewsFileOptions = {
  readonly baseUrlOf: (crew: string) => string;
  /** The defaults in the form of the release notes; null where git isn't installed. */
  readonly sample: SampleProject | null;
  /** The default in the form of the incident report. */
  readonly log: string;
};

export async function writeCrewsFile(folder: string, options: CrewsFileOptions): Promise<string> {
  const file = join(folder, 'crews.yml');
  await writeFile(file, demoCrewsFile(options));
  return file;
}

/** Writes a log for the incident report, unless it is there. Returns its path. */
export async function writeExampleLog(folder: string): Promise<string> {
  const log = join(folder, 'checkout.log');
  if (!existsSync(log)) await writeFile(log, exampleLog(new Date()));
  return log;
}

/** One release manager approves a draft; publishing, which can't be taken back, takes two and can be undone for a moment. */
const RELEASE_NOTES_APPROVAL = {
  approvers: ['@release-managers'],
  remind_after: '30m',
  expire_after: '3d',
  templates: [
    { name: 'Shorter', text: 'shorter' },
    { name: 'For users', text: 'leave out technical details' },
  ],
  tasks: [{ id: 'publish', quorum: 2, undo: '10s', approve_means: 'Publishes the notes to .demo/output' }],
};

/** A release manager other than the person who started the run decides, after reading. */
const INCIDENT_REPORT_APPROVAL = {
  approvers: ['@release-managers'],
  self_approval: false,
  min_review: '10s',
  remind_after: '15m',
  escalate_after: '1h',
  escalate_to: ['@legal'],
  expire_after: '1d',
};

/** The demo's crews: their addresses, who decides their requests, and their input forms. */
export function demoCrewsFile({ baseUrlOf, sample, log }: CrewsFileOptions): string {
  const common = { token: `$\{${TOKEN_VARIABLE}}`, channel: 'releases' };
  return stringify({
    crews: [
      {
        name: 'release-notes',
        base_url: baseUrlOf('release-notes'),
        description: 'Drafts release notes from the commits of a git repository, and publishes them',
        ...common,
        approval: RELEASE_NOTES_APPROVAL,
        inputs: {
          repository: {
            label: 'Repository',
            ...(sample && { default: sample.repository }),
            help: sample
              ? 'A sample project. The folder of any git repository on this machine will do.'
              : 'The folder of a git repository on this machine. It needs git, which isn’t installed.',
          },
          since: {
            label: 'Since',
            ...(sample && { default: sample.since }),
            help: 'What came after the last release: a tag, a commit, a date such as 2026-10-12, or “2 weeks ago”.',
          },
        },
      },
      {
        name: 'incident-report',
        base_url: baseUrlOf('incident-report'),
        description: 'Drafts the report of an incident from its log',
        ...common,
        approval: INCIDENT_REPORT_APPROVAL,
        inputs: {
          log_file: { label: 'Log file', default: log, help: 'The path of a log on this machine.' },
          severity: { label: 'Severity', type: 'choice', options: ['sev1', 'sev2', 'sev3', 'sev4'], default: 'sev2' },
          started_on: { label: 'Started on', type: 'date', default: new Date().toISOString().slice(0, 10) },
          customers_affected: { label: 'Customers affected', type: 'number', default: 412, min: 0 },
        },
      },
    ],
  });
}

/** The log of a bad half hour. */
function exampleLog(now: Date): string {
  const begin = now.getTime() - 3 * 60 * 60 * 1000;
  const lines = [
    [0, 'INFO', 'checkout started, version 4.12.0'],
    [190, 'INFO', 'payment provider answered in 212 ms'],
    [410, 'WARN', 'payment provider answered in 4,811 ms'],
    [433, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88121'],
    [447, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88124'],
    [452, 'WARN', 'connection pool exhausted, 41 requests waiting'],
    [468, 'ERROR', 'order 88130 failed after 3 attempts'],
    [513, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88133'],
    [702, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88140'],
    [790, 'WARN', 'circuit breaker opened for payments'],
    [1104, 'ERROR', 'order 88152 failed after 3 attempts'],
    [1217, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88159'],
    [1290, 'INFO', 'circuit breaker closed for payments'],
    [1312, 'INFO', 'payment provider answered in 230 ms'],
  ] as const;
  return lines.map(([s, level, text]) => `${new Date(begin + s * 1000).toISOString()} ${level} ${text}\n`).join('');
}
