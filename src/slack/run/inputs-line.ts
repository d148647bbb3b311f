import type { Inputs, Json } from '../../core/json.ts';
import type { Say } from '../language/say.ts';
import { escapedLine } from '../ui/text/escape.ts';

const MOST_INPUTS = 12;
const INPUT_LIMIT = 120;
/** Some three lines. */
const LINE_LIMIT = 500;

/** The inputs of a run in few lines, labelled as in the form; empty if it has none. Escaped mrkdwn. */
export function inputsLine(inputs: Inputs, labelOf: (input: string) => string, say: Say): string {
  const all = Object.entries(inputs).map(([name, value]) => input(labelOf(name), valueText(value, say)));
  let length = 0;
  const shown = all.slice(0, MOST_INPUTS).filter((each, i) => {
    length += each.length;
    return i === 0 || length <= LINE_LIMIT;
  });
  const more = all.length - shown.length;
  return [...shown, ...(more > 0 ? [say('run.more-inputs', { count: more })] : [])].join(' · ');
}

function input(label: string, value: string): string {
  return `*${escapedLine(label, 60)}:* ${escapedLine(value, INPUT_LIMIT)}`;
}

function valueText(value: Json, say: Say): string {
  if (typeof value === 'boolean') return say(value ? 'run.yes' : 'run.no');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
