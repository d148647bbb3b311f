import type { PersonProblem } from '../people-api.ts';

/** An action failed in front of the person: `problem` is what they see. */
export class PersonProblemError extends Error {
  readonly problem: PersonProblem;

  constructor(problem: PersonProblem, screen: string) {
    super(`${problem.code}: ${problem.text}\n${screen}`);
    this.problem = problem;
  }
}
