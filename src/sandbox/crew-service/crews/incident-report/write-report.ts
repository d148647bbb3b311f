import { instructionsIn, partsOf, unquoted } from '../instructions.ts';
import type { LogSummary } from './read-log.ts';

export type IncidentFacts = {
  readonly severity: string;
  /** YYYY-MM-DD */
  readonly startedOn: string;
  readonly customersAffected: number;
};

type Part = 'timeline' | 'errors' | 'warnings';

export type ReportStyle = {
  readonly title: string | undefined;
  readonly severity: string | undefined;
  readonly length: 'short' | 'medium' | 'long';
  readonly leftOut: readonly Part[];
  readonly notes: readonly string[];
};

const FIRST_STYLE: ReportStyle = { title: undefined, severity: undefined, length: 'medium', leftOut: [], notes: [] };
const GROUPS_SHOWN = { short: 3, medium: 8, long: 20 };

/** How the report is to look after all feedback so far, oldest first, and what could not be followed. */
export function readReportFeedback(feedback: readonly string[]): {
  readonly style: ReportStyle;
  readonly notFollowed: readonly string[];
} {
  let style = FIRST_STYLE;
  const notFollowed: string[] = [];
  for (const instruction of feedback.flatMap(instructionsIn)) {
    const followed = follow(style, instruction);
    if (followed) style = followed;
    else notFollowed.push(instruction);
  }
  return { style, notFollowed };
}

type Rule = readonly [pattern: RegExp, change: (style: ReportStyle, words: string) => ReportStyle | undefined];

/** Of a wish that says what is not so, or that is about the title alone, nothing follows for the rest. */
const PLAINLY = "^(?!.*(?:\\bnot\\b|n't\\b|\\btitle\\b)).*";

const RULES: readonly Rule[] = [
  [
    new RegExp(`${PLAINLY}\\b(?:shorter|short|brief|briefer|concise|less detail|too long)$`, 'i'),
    (style) => ({ ...style, length: style.length === 'long' ? 'medium' : 'short' }),
  ],
  [
    new RegExp(`${PLAINLY}\\b(?:longer|long|more details?|too short|(?:show|list|include) everything)$`, 'i'),
    (style) => ({ ...style, length: style.length === 'short' ? 'medium' : 'long' }),
  ],
  [
    /^(?:(?:change|set|make|use) )?(?:the )?title(?: should be| to| is(?! (?:too|not|wrong|bad|boring|unclear)\b)|:|(?= ["“'])) ?(.+)$/i,
    (style, words) => ({ ...style, title: unquoted(words) }),
  ],
  [
    /^(?:call|name|title|rename) (?:it|this|the report)(?: to)? (.+)$/i,
    (style, words) => ({ ...style, title: unquoted(words) }),
  ],
  [
    new RegExp(`${PLAINLY}\\b(sev ?[1-4])\\b`, 'i'),
    (style, words) => ({ ...style, severity: words.toUpperCase().replace(' ', '') }),
  ],
  [/^(?:leave out|drop|omit|exclude|skip|remove|hide|without|no|don't show) (.+)$/i, leaveOut],
  [
    /^(?:(?:mention|add|include|note|highlight|stress)(?: (?:that|about|a (?:note|line|sentence) (?:about|on|that)))?|(?:say|write) that) (.+)$/i,
    (style, words) => ({ ...style, notes: [...style.notes, unquoted(words)] }),
  ],
];

function follow(style: ReportStyle, instruction: string): ReportStyle | undefined {
  for (const [pattern, change] of RULES) {
    const match = pattern.exec(instruction);
    const changed = match && change(style, match[1] ?? '');
    if (changed) return changed;
  }
  return undefined;
}

function leaveOut(style: ReportStyle, words: string): ReportStyle | undefined {
  const parts = partsOf(words).map((part) =>
    (['timeline', 'errors', 'warnings'] as const).find((one) => part.toLowerCase().includes(one.slice(0, -1))),
  );
  if (parts.includes(undefined)) return undefined;
  return { ...style, leftOut: [...style.leftOut, ...parts.filter((part) => part !== undefined)] };
}

/** The report as Markdown. */
export function writeReport(log: LogSummary, facts: IncidentFacts, style: ReportStyle): string {
  const severity = style.severity ?? facts.severity.toUpperCase();
  const parts = [
    `# ${style.title ?? `Incident report: ${severity}, ${facts.startedOn}`}`,
    impact(log, facts, severity),
    ...(style.notes.length > 0
      ? [['## To note', ...style.notes.map((note) => `- ${note.charAt(0).toUpperCase()}${note.slice(1)}`)].join('\n')]
      : []),
    style.leftOut.includes('timeline') ? '' : timeline(log),
    style.leftOut.includes('errors') ? '' : trouble('Errors', log, ['fatal', 'error'], style),
    style.leftOut.includes('warnings') || style.length === 'short' ? '' : trouble('Warnings', log, ['warning'], style),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function impact(log: LogSummary, { customersAffected }: IncidentFacts, severity: string): string {
  const customers = `**${counted(customersAffected, 'customer')}** affected`;
  const trouble = `**${counted(log.errors + log.fatal, 'error')}** and ${counted(log.warnings, 'warning')}`;
  return `**${severity}** · ${customers} · ${trouble} in ${counted(log.lines, 'line')} of \`${log.file.split('/').at(-1)}\`.`;
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function timeline({ from, to, firstError, worstMinute, lastError }: LogSummary): string {
  const lines = [
    ...(from ? [`- \`${clock(from)}\` the log begins`] : []),
    ...(firstError ? [`- \`${clock(firstError.at)}\` first error: ${quoted(firstError.message)}`] : []),
    ...(worstMinute && worstMinute.errors > 1
      ? [`- \`${clock(worstMinute.at)}\` the worst minute: **${worstMinute.errors} errors**`]
      : []),
    ...(lastError && lastError !== firstError
      ? [`- \`${clock(lastError.at)}\` last error: ${quoted(lastError.message)}`]
      : []),
    ...(to ? [`- \`${clock(to)}\` the log ends`] : []),
  ];
  return lines.length > 0 ? ['## Timeline (UTC)', ...lines].join('\n') : '';
}

function trouble(heading: string, { groups }: LogSummary, levels: readonly string[], { length }: ReportStyle): string {
  const found = groups.filter(({ level }) => levels.includes(level));
  const lines = found.slice(0, GROUPS_SHOWN[length]).map(({ count, message }) => `- **${count}×** ${quoted(message)}`);
  return lines.length > 0 ? [`## ${heading}`, ...lines].join('\n') : '';
}

function clock(at: string | null): string {
  return at === null ? '?' : at.slice(0, 16).replace('T', ' ');
}

function quoted(message: string): string {
  return `\`${message.replace(/[`\s]+/g, ' ').trim() || '(no message)'}\``;
}
