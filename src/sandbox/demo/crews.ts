import { stringify } from 'yaml';
import type { OfferedHistory } from './history.ts';

/** The environment variable that the crews file takes the crews' token from. */
export const TOKEN_VARIABLE = 'DEMO_CREW_TOKEN';

/** What the demo's crews file says: where the crews are, and how their inputs are asked for. */
export function demoCrewsFile({
  baseUrlOf,
  history,
  log,
}: {
  baseUrlOf: (crew: string) => string;
  /** What the form offers first; null where nothing is known to offer. */
  history: OfferedHistory | null;
  log: string;
}): string {
  const common = { token: `$\{${TOKEN_VARIABLE}}`, channel: 'releases' };
  return stringify({
    crews: [
      {
        name: 'release-notes',
        base_url: baseUrlOf('release-notes'),
        ...common,
        inputs: {
          repository: {
            label: 'Repository',
            ...(history && { default: history.repository }),
            help: 'The folder of a git repository on this machine.',
          },
          since: {
            label: 'Since',
            ...(history && { default: history.since }),
            help: 'Take the commits since then: a tag, a commit, a date such as 2026-10-01, or “2 weeks ago”.',
          },
        },
      },
      {
        name: 'incident-report',
        base_url: baseUrlOf('incident-report'),
        ...common,
        inputs: {
          log_file: { label: 'Log file', default: log, help: 'The path of a log on this machine.' },
          severity: { label: 'Severity', type: 'choice', options: ['sev1', 'sev2', 'sev3', 'sev4'], default: 'sev2' },
          started_on: { label: 'Day it began', type: 'date', default: new Date().toISOString().slice(0, 10) },
          customers_affected: { label: 'Customers affected', type: 'number', default: 0 },
        },
      },
    ],
  });
}

/** A log of a bad half hour, for a first incident report. */
export function exampleLog(now: Date): string {
  const begin = now.getTime() - 3 * 60 * 60 * 1000;
  const lines = [
    [0, 'INFO', 'checkout started, version 4.12.0'],
    [190, 'INFO', 'payment provider answered in 212 ms'],
    [410, 'WARN', 'payment provider answered in 4,811 ms'],
    [433, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88121'],
    [447, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88124'],
    [452, 'WARN', 'connection pool is exhausted, 41 requests wait'],
    [468, 'ERROR', 'order 88130 was given up after 3 tries'],
    [513, 'ERROR', 'payment provider did not answer within 5,000 ms, order 88133'],
    [790, 'WARN', 'circuit breaker opened for payments'],
    [1290, 'INFO', 'circuit breaker closed for payments'],
    [1312, 'INFO', 'payment provider answered in 230 ms'],
  ] as const;
  return lines.map(([s, level, text]) => `${new Date(begin + s * 1000).toISOString()} ${level} ${text}\n`).join('');
}
