import type { Findings } from './check-invariants.ts';

/** The counts of many scenarios in one line; docs/failures/redis.md has their sums. */
export function countsLine(findings: readonly Findings[]): string {
  const sum = (part: (findings: Findings) => number) => findings.reduce((all, each) => all + part(each), 0);
  return [
    `${sum(({ decisions }) => decisions)} decisions`,
    `${sum(({ delivered }) => delivered)} delivered`,
    `${sum(({ undelivered }) => undelivered)} shown as not delivered`,
    `${sum(({ lost }) => lost)} lost`,
    `${sum(({ doubled }) => doubled)} doubled`,
    `${sum(({ votes }) => votes)} votes`,
    `${sum(({ undone }) => undone)} undone`,
    `${sum(({ refused }) => refused)} refused`,
    `${sum(({ reminders }) => reminders)} reminders`,
    `${sum(({ expired }) => expired)} expired`,
  ].join(', ');
}
