import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine } from '../ui/text/escape.ts';
import type { CommandProblem } from './command-line.ts';
import { crewLine } from './help-message.ts';

/** What is wrong with a `/kickoff` line, and what to type instead. */
export function commandProblemMessage(problem: CommandProblem, crews: string[]): Rendered {
  const text = `${explanation(problem)}${isStart(problem) ? ' Nothing was started.' : ''}`;
  return rendered(text, [section(text), context(crewLine(crews), 'Type `/kickoff help` to see what is possible.')]);
}

/** Whether the line would have started a crew. */
function isStart(problem: CommandProblem): boolean {
  return problem.kind !== 'crew-only' && !(problem.kind === 'unknown-crew' && problem.to === 'ask about');
}

const TOKEN_PLACE = 'A token is never typed in a command: `/kickoff connect` opens a window for it.';

function explanation(problem: CommandProblem): string {
  switch (problem.kind) {
    case 'unknown-crew':
      return `There is no crew named “${escapedLine(problem.word, 80)}”.${suggestion(problem.meant)}`;
    case 'crew-missing':
      return 'Please say first which crew you mean, then its inputs.';
    case 'unknown-word':
      return `“${escapedLine(problem.word, 80)}” is not an input. Inputs look like \`name=value\`; values of several words stand in "quotes".`;
    case 'crew-only':
      return `\`/kickoff ${problem.after}\` takes the name of a crew and nothing else. ${TOKEN_PLACE}`;
    case 'repeated-name':
      return `The input “${escapedLine(problem.name, 80)}” stands there twice.`;
    case 'open-quote':
      return `A quote was opened and not closed, at ${escapedLine(problem.at, 60)}.`;
    case 'unknown-inputs':
      return `This crew has no input named ${problem.names
        .slice(0, 5)
        .map((name) => `“${escapedLine(name, 60)}”`)
        .join(', ')}.${knownInputs(problem.known)}`;
    case 'bad-values':
      return problem.values
        .slice(0, 5)
        .map(({ name, why }) => `“${escapedLine(name, 60)}”: ${escapedLine(why, 300)}`)
        .join('\n');
  }
}

function suggestion(crew: string | null): string {
  return crew === null ? '' : ` Did you mean “${escapedLine(crew, 80)}”?`;
}

function knownInputs(names: string[]): string {
  return names.length === 0
    ? ' It takes none.'
    : ` It takes ${names
        .slice(0, 10)
        .map((name) => `“${escapedLine(name, 60)}”`)
        .join(', ')}.`;
}
