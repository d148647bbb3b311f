import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Crew, defineCrew, z } from '../crew.ts';
import { approvedText, withEdits, withoutEdits } from './edits.ts';
import { type LogSummary, readLog } from './incident-log.ts';
import { follow, type Instruction, lengthInstructions, namesIn, withRemark } from './instructions.ts';

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
        const texts = feedback.map(({ text }) => text);
        return writeReport(outputs.read, { severity, startedOn, customersAffected }, texts);
      },
      whenApproved: (report, { feedback }) => approvedText(report, feedback),
    });
}

type IncidentFacts = {
  readonly severity: string;
  /** YYYY-MM-DD */
  readonly startedOn: string;
  readonly customersAffected: number;
};

type Section = 'Timeline' | 'Errors' | 'Warnings';
const SECTIONS: readonly Section[] = ['Timeline', 'Errors', 'Warnings'];
const NAMES: Readonly<Record<string, readonly Section[]>> = {
  timeline: ['Timeline'],
  errors: ['Errors'],
  warnings: ['Warnings'],
};

type ReportStyle = {
  readonly title: string | undefined;
  /** The number of messages that a section names. */
  readonly perSection: number;
  readonly leftOut: readonly Section[];
};

const FIRST_STYLE: ReportStyle = { title: undefined, perSection: 8, leftOut: [] };

const REPORT_INSTRUCTIONS: readonly Instruction<ReportStyle>[] = [
  ...lengthInstructions<ReportStyle>(),
  {
    form: 'leave out SECTIONS',
    also: ['drop', 'remove', 'skip', 'without', 'no'],
    change(style, words) {
      const sections = namesIn(words, NAMES);
      return sections && { ...style, leftOut: [...style.leftOut, ...sections] };
    },
  },
  { form: 'title: TEXT', change: (style, title) => ({ ...style, title }) },
];

/** The report as Markdown, following all feedback, oldest first; what it didn't understand of the last is said above it. */
export function writeReport(log: LogSummary, facts: IncidentFacts, feedback: readonly string[]): string {
  const { style, notUnderstood } = follow(REPORT_INSTRUCTIONS, feedback.map(withoutEdits), FIRST_STYLE);
  const lines = {
    Timeline: timeline(log),
    Errors: messages(log, 'error', style),
    // A shorter report is about the errors.
    Warnings: style.perSection < FIRST_STYLE.perSection ? [] : messages(log, 'warning', style),
  };
  const sections = SECTIONS.filter((section) => !style.leftOut.includes(section) && lines[section].length > 0);
  const parts = [
    `# ${style.title ?? `Incident report: ${facts.severity.toUpperCase()}, ${facts.startedOn}`}`,
    impact(log, facts),
    ...sections.map((section) =>
      [`## ${section}${section === 'Timeline' ? ' (UTC)' : ''}`, ...lines[section]].join('\n'),
    ),
  ];
  const { draft, notMade } = withEdits(parts.join('\n\n'), feedback);
  return withRemark(draft, { notUnderstood, notMade }, REPORT_INSTRUCTIONS);
}

/** Returns the number of people affected, the duration and the cause: everybody asks for these first. */
function impact(log: LogSummary, { customersAffected }: IncidentFacts): string {
  const { errors, warnings, firstError, lastError, groups } = log;
  const customers = `**${counted(customersAffected, 'customer')} affected.**`;
  const logged = `${counted(errors, 'error')} and ${counted(warnings, 'warning')} in ${counted(log.lines, 'line')} of \`${basename(log.file)}\`.`;
  const most = groups.find(({ level }) => level === 'error');
  if (!firstError?.at || !lastError?.at || most === undefined) return `${customers} ${logged}`;
  const minutes = Math.max(1, Math.round((Date.parse(lastError.at) - Date.parse(firstError.at)) / 60_000));
  const often = most.count === 1 ? '' : `, ${most.count} times`;
  return `${customers} Errors for **${counted(minutes, 'minute')}**, mostly ${quoted(most.message)}${often}.\n${logged}`;
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;
}

function timeline({ from, firstError, lastError, to }: LogSummary): string[] {
  return [
    ...(from ? [`- **${clock(from)}** the log begins`] : []),
    ...(firstError ? [`- **${clock(firstError.at)}** first error: ${quoted(firstError.message)}`] : []),
    ...(lastError ? [`- **${clock(lastError.at)}** last error: ${quoted(lastError.message)}`] : []),
    ...(to ? [`- **${clock(to)}** the log ends`] : []),
  ];
}

function messages({ groups }: LogSummary, wanted: 'error' | 'warning', { perSection }: ReportStyle): string[] {
  const largest = groups.filter(({ level }) => level === wanted).slice(0, perSection);
  return largest.map(({ count, message }) => `- **${count}×** ${quoted(message)}`);
}

function clock(at: string | null): string {
  return at === null ? '?' : at.slice(0, 16).replace('T', ' ');
}

/** Formats log text as code, in which it cannot turn into a heading, a link or a mention. */
function quoted(message: string): string {
  return `\`${message.replace(/[`\s]+/g, ' ').trim() || '(no message)'}\``;
}
