import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Crew } from '../../coded-crew.ts';
import { defineCrew } from '../../define-crew.ts';
import { readLog } from './read-log.ts';
import { writeReport } from './write-report.ts';

const severities = ['sev1', 'sev2', 'sev3', 'sev4'] as const;
const numberInText = z
  .string()
  .trim()
  .regex(/^-?\d+$/)
  .transform(Number);

/**
 * Reports on an incident from a log file on this machine. Its inputs are of several types: a path, a choice, a date and
 * a number (a number in a text is taken too).
 * @param taskDelayMs how long each task takes at least, so that a person can watch
 */
export function incidentReportCrew({ taskDelayMs = 0 }: { readonly taskDelayMs?: number } = {}): Crew {
  return defineCrew({
    name: 'incident-report',
    inputs: {
      log_file: z.string().trim().min(1),
      severity: z.string().trim().toLowerCase().pipe(z.enum(severities)),
      started_on: z.iso.date(),
      customers_affected: z
        .union([z.number(), numberInText], 'must be a number')
        .pipe(z.number().int('must be a whole number').nonnegative('can’t be less than 0')),
    },
  })
    .task('read', {
      agent: 'Analyst',
      description: 'Read the log and count what went wrong.',
      expectedOutput: 'Counts, the timeline and the most frequent messages.',
      run: ({ inputs, step, signal }) =>
        step({ thought: 'Read the log', tool: 'read', toolInput: inputs.log_file }, async () => {
          if (taskDelayMs > 0) await pause(taskDelayMs, undefined, { signal });
          return readLog(inputs.log_file, signal);
        }),
    })
    .task('report', {
      agent: 'Reporter',
      description: 'Write the incident report.',
      expectedOutput: 'A report in Markdown.',
      humanInput: true,
      async run({ inputs, outputs, feedback, signal }) {
        if (taskDelayMs > 0) await pause(taskDelayMs, undefined, { signal });
        const { severity, started_on: startedOn, customers_affected: customersAffected } = inputs;
        const said = feedback.map(({ text }) => text);
        return writeReport(outputs.read, { severity, startedOn, customersAffected }, said);
      },
    });
}
