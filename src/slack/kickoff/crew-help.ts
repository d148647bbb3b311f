import type { Crew, InputField } from '../../core/crew.ts';
import type { Say } from '../language/say.ts';
import { answerMessage } from '../ui/answer-modal.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { cutLine } from '../ui/text/cut.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { type FormPorts, fieldsOf } from './form-view.ts';
import { fieldText } from './input-element.ts';
import { someOptions } from './to-input.ts';
import { inputsSentence } from './trouble.ts';

const MOST_INPUTS = 30;
const MOST_TEXT = 2_900;

/** What a crew is for and which inputs it needs. Never throws. */
export async function crewHelp(ports: FormPorts, { name, description }: Crew, say: Say): Promise<Rendered> {
  const answer = await fieldsOf(ports, name);
  if (answer.kind === 'unknown') return answerMessage(`🚫 ${escapeMrkdwn(inputsSentence(answer.code, name, say))}`);
  return crewHelpMessage({ name, description, fields: answer.fields }, say);
}

interface CrewHelp extends Pick<Crew, 'name' | 'description'> {
  fields: readonly InputField[];
}

export function crewHelpMessage({ name, description, fields }: CrewHelp, say: Say): Rendered {
  const about = `*${escapedLine(name, 80)}*${description === null ? '' : `: ${escapedLine(description, 500)}`}`;
  const more = fields.length - MOST_INPUTS;
  const lines = [
    about,
    say('help.needs', { count: fields.length }),
    ...fields.slice(0, MOST_INPUTS).map((field) => inputLine(field, say)),
    ...(more > 0 ? [say('help.more-inputs', { count: more })] : []),
  ];
  const text = cutMrkdwn(lines.join('\n'), MOST_TEXT);
  return rendered(text, [section(text), context(say('help.try', { line: escapedLine(example(name, fields), 300) }))]);
}

function inputLine(field: InputField, say: Say): string {
  const { name, label, help, default: preset } = field;
  const value = preset === null ? '' : cutLine(fieldText(field, preset), 60);
  const need = preset === null ? say('help.required') : say('help.default', { value: escapeMrkdwn(value || '""') });
  const called = label === name ? '' : ` (${escapedLine(label, 80)})`;
  const helps = help ? `. ${escapedLine(help, 150)}` : '';
  return `• \`${escapedLine(name, 80)}\`${called}: ${escapeMrkdwn(kindOf(field, say))}, ${need}${helps}`;
}

function kindOf({ type, options, min, max }: InputField, say: Say): string {
  switch (type) {
    case 'text':
    case 'long_text':
      return say('help.text');
    case 'number':
      if (min !== null && max !== null) return say('help.number-range', { min: String(min), max: String(max) });
      if (min !== null) return say('help.number-at-least', { min: String(min) });
      return max === null ? say('help.number') : say('help.number-at-most', { max: String(max) });
    case 'yes_no':
      return say('help.yes-no');
    case 'choice':
      return say('help.one-of', { options: someOptions(options, say) });
    case 'date':
      return say('help.date');
    case 'json':
      return say('help.json');
  }
}

/** A line that could be typed, with the inputs that have no default, or else the first one. */
function example(name: string, fields: readonly InputField[]): string {
  const required = fields.filter((field) => field.default === null).slice(0, 4);
  const shown = required.length > 0 ? required : fields.slice(0, 1);
  const crew = /\s/.test(name) ? `"${name}"` : name;
  return ['/kickoff', crew, ...shown.map((field) => `${field.name}=${sampleOf(field)}`)].join(' ');
}

function sampleOf({ type, options, min }: InputField): string {
  switch (type) {
    case 'text':
    case 'long_text':
      return '"…"';
    case 'number':
      return String(min ?? 3);
    case 'yes_no':
      return 'yes';
    case 'choice': {
      const first = options[0] ?? '…';
      return typeof first === 'string' && !/\s/.test(first) ? first : JSON.stringify(first);
    }
    case 'date':
      return '2026-12-31';
    case 'json':
      return '{…}';
  }
}
