// Cuts the power of a crew at a chosen moment, and lets its task be tried again with what was stored by then, as the service does.
import type { Crew } from '../../../../src/sandbox/crew-service/coded-crew.ts';
import type { Question } from '../../../../src/sandbox/crew-service/crew-description.ts';
import type { Json, JsonObject } from '../../../../src/sandbox/crew-service/json.ts';

/** The n-th thing that is stored or done, counted from 1, and whether it still happened. */
export type Moment = { readonly at: number; readonly when: 'before' | 'after' };

/** Everything that a crew stores or does goes through it. */
export interface Lifeline {
  do<Result>(work: () => Promise<Result> | Result): Promise<Result>;
}

class PowerCut extends Error {}

/** Counts over all tries. From the moment on, nothing happens any more until the next try. */
function createPower(moment: Moment | undefined) {
  let count = 0;
  let wasCut = false;
  return {
    wasCut: () => wasCut,
    line(): Lifeline {
      let isDead = false;
      return {
        async do(work) {
          if (isDead) throw new PowerCut();
          const isNow = ++count === moment?.at && !wasCut;
          if (!isNow) return work();
          [isDead, wasCut] = [true, true];
          if (moment.when === 'after') await work();
          throw new PowerCut();
        },
      };
    },
  };
}

type Story = {
  readonly moment: Moment | undefined;
  readonly inputs: JsonObject;
  /** The crew as a new process has it. */
  readonly crew: (line: Lifeline) => Crew;
  readonly decide: (question: Question, round: number) => { approved: boolean; text: string };
};

export async function workThrough({ moment, inputs, crew, decide }: Story) {
  const power = createPower(moment);
  const questions: Question[] = [];
  let decision: { approved: boolean; text: string; state: JsonObject } | undefined;
  let done = new Map<number, Json>();
  let ended: { readonly output: Json } | { readonly error: unknown } | undefined;
  while (ended === undefined) {
    const line = power.line();
    const steps = {
      done: new Map(done),
      store: ({ number, value }: { number: number; value: Json }) => line.do(() => void done.set(number, value)),
      tell: async () => {},
    };
    try {
      const [task] = crew(line).tasks;
      const performed = await task?.run(contextOf(inputs), { decision, steps });
      if (performed === undefined) throw new Error('The crew has no task.');
      await line.do(() => {
        done = new Map();
        if ('output' in performed) {
          ended = performed;
          return;
        }
        const { question } = performed;
        questions.push(question);
        decision = { ...decide(question, questions.length), state: question.state };
      });
    } catch (error) {
      if (!isPowerCut(error)) ended = { error };
    }
  }
  return { output: undefined, error: undefined, ...ended, questions, wasCut: power.wasCut() };
}

function isPowerCut(error: unknown): boolean {
  return error instanceof PowerCut || (error instanceof AggregateError && error.errors.every(isPowerCut));
}

function contextOf(inputs: JsonObject) {
  return {
    ...{ executionId: 'e1', inputs, round: 1, outputs: {}, feedback: [], allFeedback: [], previous: undefined },
    signal: new AbortController().signal,
    model: { name: undefined, ask: () => Promise.reject(new Error('not expected')) },
    step: () => Promise.reject(new Error('not expected')),
  };
}
