import type { PersonProblem } from '../person-actions.ts';

/** An action failed visibly: `problem` is what the person sees. */
export class PersonProblemError extends Error {
  readonly problem: PersonProblem;

  constructor(problem: PersonProblem, screen: string) {
    super(`${problem.code}: ${problem.text}\n${screen}`);
    this.problem = problem;
  }
}
