// A short text tells a run from others of its crew, and a request from others of its task: in lists, ten of them have the same names.

import { shortened } from '../values/cut.ts';
import type { Inputs, Json } from '../values/json.ts';
import { mentionName, oneLine } from '../values/text.ts';
import type { Execution } from './execution.ts';
import type { Question } from './request.ts';

const MOST_INPUTS = 2;
const LONGEST_INPUT = 60;
const LONGEST_HEADING = 80;
/** A heading stands near the beginning, and crews write megabytes. */
const LOOKED_THROUGH = 4_000;

/** The inputs that hold the approvers whom a workflow names. They say who decides, not what is decided. */
export const APPROVER_INPUTS = Array.from({ length: 10 }, (_, i) => `approver_${i + 1}`);

/** The first short inputs of a run, or the beginning of a long one; '' if it has none. One line of plain text. */
export function aboutRun({ inputs }: { inputs: Inputs }): string {
  const short = tellingInputs({ inputs });
  if (short.length > 0) return short.map(({ words }) => words).join(', ');
  return brief(wordsOfInputs(inputs)[0]?.words ?? '', LONGEST_INPUT);
}

/** Returns the first short inputs of a run, which distinguish it from others. Each is one line of plain text. */
export function tellingInputs({ inputs }: { inputs: Inputs }): { name: string; words: string }[] {
  return wordsOfInputs(inputs)
    .filter(({ words }) => words.length <= LONGEST_INPUT)
    .slice(0, MOST_INPUTS);
}

/** Returns the inputs that have words. */
function wordsOfInputs(inputs: Inputs): { name: string; words: string }[] {
  return Object.entries(inputs)
    .filter(([name]) => !APPROVER_INPUTS.includes(name))
    .map(([name, value]) => ({ name, words: wordsOf(value) }))
    .filter(({ words }) => words !== '');
}

/**
 * Returns the words of a number or a text; '' for any other value, such as on or off. A path of a folder or file is reduced to its
 * name.
 */
function wordsOf(value: Json): string {
  if (typeof value === 'number') return String(value);
  const words = typeof value === 'string' ? undotted(oneLine(mentionName(value.slice(0, LOOKED_THROUGH)))) : '';
  return PATH.exec(words)?.[1] ?? words;
}

const PATH = /^(?:~|[A-Za-z]:)?[/\\](?:\S*[/\\])?([^\s/\\]+)[/\\]?$/;

/** Says what a run is about or, without inputs that say it, the text; '' if neither says more than the task's name. One plain line. */
export function aboutRequest(run: { inputs: Inputs }, { heading, taskName }: Asked): string {
  return aboutRun(run) || (heading === taskName ? '' : heading);
}

type Asked = Pick<Question, 'heading' | 'taskName'>;

/** Returns one plain line about a run: its inputs or, without useful ones, the heading of its latest text. */
export function aboutExecution(execution: Pick<Execution, 'inputs' | 'requests'>): string {
  return aboutRun(execution) || (execution.requests.at(-1)?.question.heading ?? '');
}

const HEADING_MARK = /^ {0,3}#{1,6}[ \t]+(?=\S)/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** JSON, perhaps behind the name of a tool or in a fence. */
const STRUCTURED = /^\s*(?:[\w.-]{1,80}\s+)?(?:`{3,}\s*json\s+)?(?:\{\s*["}]|\[\s*[{["\]])/;

/**
 * The first heading of a Markdown text or, if it has none near its beginning, its first words; '' if it is empty, or JSON, whose
 * beginning says nothing to people.
 */
export function headingOf(markdown: string): string {
  if (STRUCTURED.test(markdown.slice(0, 300))) return '';
  const lines = markdown.slice(0, LOOKED_THROUGH).split('\n');
  const fence = lines.findIndex((line) => FENCE.test(line));
  const outside = fence === -1 ? lines : lines.slice(0, fence);
  const title = outside.map(titleIn).find((words) => words !== '');
  return brief(plain(title ?? lines.find((line) => plain(line) !== '') ?? ''), LONGEST_HEADING);
}

/** Returns the words of a heading; '' for any other line. */
function titleIn(line: string): string {
  const [mark] = HEADING_MARK.exec(line) ?? [];
  if (mark === undefined) return '';
  // A pattern would look through the same space again and again.
  let end = line.length;
  while (end > mark.length && /[\s#]/.test(line.charAt(end - 1))) end--;
  return line.slice(mark.length, end);
}

/** Removes Markdown marks around words. */
function plain(line: string): string {
  return undotted(oneLine(line.replace(/^[\s>#*+~-]+/, '').replace(/[*`]|__/g, '')));
}

/** Replaces middle dots, which stand between our own words, so that no text of others passes for ours. */
function undotted(text: string): string {
  return text.replace(/ ?[·•‧∙⋅・] ?/g, ', ');
}

function brief(text: string, most: number): string {
  return text.length <= most ? text : shortened(text, most);
}
