import type { Say } from '../language/say.ts';
import { quotedNames } from '../run/kickoff-trouble-text.ts';
import { context, type Rendered, rendered, section } from '../ui/blocks.ts';
import { escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import type { CommandProblem, LineProblem } from './command-line.ts';
import { crewLine } from './help-message.ts';

/** What is wrong with a `/kickoff` line that starts nothing, and what to type instead. */
export function commandProblemMessage(problem: CommandProblem, crews: readonly string[], say: Say): Rendered {
  const text =
    problem.kind === 'crew-only' ? say('line.crew-only', { command: problem.after }) : unknownCrew(problem, say);
  return rendered(text, [section(text), context(crewLine(crews, say), say('line.see-help'))]);
}

const MOST_SHOWN = 3;

/** What is wrong with a line that starts a crew, one of each kind; mrkdwn. */
export function lineProblems(problems: readonly LineProblem[], say: Say): string {
  const kinds = new Map([...problems].reverse().map((problem) => [problem.kind, problem]));
  const shown = problems.filter((problem) => kinds.get(problem.kind) === problem).slice(0, MOST_SHOWN);
  return shown.map((problem) => explanation(problem, say)).join(' ');
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
    case 'unknown-inputs':
      return say('line.unknown-inputs', { names: escapeMrkdwn(quotedNames(problem.names, say)) });
  }
}

function unknownCrew({ word, meant }: { word: string; meant: string | null }, say: Say): string {
  const unknown = say('line.unknown-crew', { word: escapedLine(word, 80) });
  return meant === null ? unknown : `${unknown} ${say('line.meant', { crew: escapedLine(meant, 80) })}`;
}
