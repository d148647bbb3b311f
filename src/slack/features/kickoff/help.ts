import { type Crew, isDeployed, namesOfDeployed } from '../../../core/policy/crew.ts';
import type { InputField } from '../../../core/values/input-field.ts';
import { ANSWER_WITHIN_MS, soon } from '../../api/soon.ts';
import type { Say } from '../../language/say.ts';
import { answerCommand, ephemeral } from '../../listening/answers.ts';
import type { CommandArgs } from '../../listening/context.ts';
import { context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { fieldText } from '../../ui/form-inputs.ts';
import { someOptions } from '../../ui/input-values.ts';
import { answerMessage } from '../../ui/modal.ts';
import { cutLine, cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import type { CommandProblem, LineProblem } from './command-line.ts';
import { type FormPorts, fieldsOf } from './form.ts';
import { inputsSentence, startRefusalText } from './trouble.ts';

/** Answers `/kickoff help`. Help for a crew comes as soon as the crew has said what it needs. */
export async function onHelpCommand(
  args: CommandArgs,
  { crew: name, say }: { crew: string | null; say: Say },
): Promise<void> {
  const { ack, context } = args;
  const crew = name === null ? undefined : context.crews.get(name);
  if (!crew) return ack(ephemeral(helpMessage(namesOfDeployed(context.crews), say)));
  if (!isDeployed(crew)) return ack(ephemeral(answerMessage(startRefusalText({ crew, denial: null }, say))));
  const help = crewHelp(context, crew, say);
  const isSoon = await soon(
    ANSWER_WITHIN_MS,
    help.then(() => true),
    false,
  );
  if (isSoon) return ack(ephemeral(await help));
  await ack();
  await answerCommand(args, await help);
}

const MOST_INPUTS = 30;
const MOST_TEXT = 2_900;

async function crewHelp(ports: FormPorts, { name, description }: Crew, say: Say): Promise<Rendered> {
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
    ...(more > 0 ? [say('list.and-more', { count: more })] : []),
  ];
  const text = cutMrkdwn(lines.join('\n'), MOST_TEXT);
  return rendered(text, [
    section(text),
    context(say('help.try', { line: escapedLine(example(name, fields, say), 300) })),
  ]);
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

/** Returns a line that people could type, with the required inputs, or else the first one. */
function example(name: string, fields: readonly InputField[], say: Say): string {
  const required = fields.filter((field) => field.default === null).slice(0, 4);
  const inputs = required.length > 0 ? required : fields.slice(0, 1);
  const crew = /\s/.test(name) ? `"${name}"` : name;
  return [say.kickoff, crew, ...inputs.map((field) => `${field.name}=${sampleOf(field)}`)].join(' ');
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

const MOST_CREWS = 20;

export function helpMessage(crews: readonly string[], say: Say): Rendered {
  const crew = escapedLine(crews[0] ?? 'crew', 60);
  const commands = [
    say('help.form'),
    say('help.start', { crew }),
    say('help.of-crew', { crew }),
    say('help.status'),
    say('help.who'),
    say('help.connect'),
    say('help.shortcuts'),
    say('help.help'),
  ];
  const text = [say('help.what'), '', ...commands.map((command) => `• ${command}`)].join('\n');
  return rendered(`${text}\n${crewLine(crews, say)}`, [section(text), context(crewLine(crews, say))]);
}

function crewLine(crews: readonly string[], say: Say): string {
  if (crews.length === 0) return say('help.no-crews');
  const names = crews.slice(0, MOST_CREWS).map((crew) => escapedLine(crew, 60));
  const more = crews.length - names.length;
  return say('help.crews', {
    count: crews.length,
    crews: more > 0 ? say.list([...names, say('list.more', { count: more })]) : names.join(', '),
  });
}

export function commandProblemMessage(problem: CommandProblem, crews: readonly string[], say: Say): Rendered {
  const text =
    problem.kind === 'crew-only' ? say('line.crew-only', { command: problem.after }) : unknownCrew(problem, say);
  return rendered(text, [section(text), context(crewLine(crews, say), say('line.see-help'))]);
}

const MOST_SHOWN = 3;

/** Explains what is wrong with a line that starts a crew, one problem of each kind; mrkdwn. */
export function lineProblems(problems: readonly LineProblem[], say: Say): string {
  const firstOfKind = problems.filter(({ kind }, i) => problems.findIndex((each) => each.kind === kind) === i);
  return firstOfKind
    .slice(0, MOST_SHOWN)
    .map((problem) => explanation(problem, say))
    .join(' ');
}

function explanation(problem: LineProblem, say: Say): string {
  switch (problem.kind) {
    case 'unknown-crew':
      return unknownCrew(problem, say);
    case 'crew-missing':
      return say('line.crew-missing');
    case 'unknown-word':
      return say('line.unknown-word', { word: escapedLine(problem.word, 80) });
    case 'repeated-name':
      return say('line.repeated-name', { name: escapedLine(problem.name, 80) });
    case 'open-quote':
      return `${say('line.open-quote', { text: escapedLine(problem.at, 60) })}.`;
  }
}

function unknownCrew({ word, meant }: { word: string; meant: string | null }, say: Say): string {
  const unknown = say('line.unknown-crew', { word: escapedLine(word, 80) });
  return meant === null ? unknown : `${unknown} ${say('line.meant', { crew: escapedLine(meant, 80) })}`;
}
