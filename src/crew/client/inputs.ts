import { setTimeout as delay } from 'node:timers/promises';
import type { Crew } from '../../core/crew.ts';
import type { InputsAnswer } from '../../core/execution/crew-answers.ts';
import { parseJsonBody } from '../payload/json-body.ts';
import type { CallOutcome } from './call.ts';
import { parseInputs } from './parse-inputs.ts';
import { judge } from './verdict.ts';

interface InputsReader {
  /** Answers from the cache while it is fresh or the crew is slow; concurrent requests share one call. */
  read(crew: Crew): Promise<InputsAnswer>;
  /** Drops the cached answer, which the service has contradicted. */
  forget(crew: string): void;
}

interface InputsReaderOptions {
  /** Crews are rarely redeployed, and the kickoff reports an input that the form lacks. */
  freshMs: number;
  /** How long to wait for a crew with an older cached answer: Slack allows three seconds for a submission. */
  patienceMs: number;
  /** Called with unusable input names each time that the crew reports some. */
  onSkipped: (crew: string, names: string[]) => void;
}

interface Remembered {
  answer: Promise<InputsAnswer>;
  /** The previous answer. */
  older: Promise<InputsAnswer> | null;
  until: number;
}

const OPTIONS: InputsReaderOptions = { freshMs: 60_000, patienceMs: 1_000, onSkipped: () => {} };

export function createInputsReader(
  fetch: (crew: Crew) => Promise<CallOutcome>,
  options: Partial<InputsReaderOptions> = {},
): InputsReader {
  const { freshMs, patienceMs, onSkipped } = { ...OPTIONS, ...options };
  const known = new Map<string, Remembered>();

  function ask(crew: Crew, older: Promise<InputsAnswer> | null): Remembered {
    const answer = fetch(crew).then(inputsAnswer);
    const asked = { answer, older, until: performance.now() + freshMs };
    known.set(crew.name, asked);
    void answer.then((said) => {
      if (said.kind !== 'inputs') {
        if (known.get(crew.name) === asked) known.delete(crew.name);
      } else if (said.skipped.length > 0) onSkipped(crew.name, said.skipped);
    });
    return asked;
  }

  return {
    read(crew) {
      const remembered = known.get(crew.name);
      const isFresh = remembered !== undefined && performance.now() < remembered.until;
      const { answer, older } = isFresh ? remembered : ask(crew, remembered?.answer ?? null);
      if (older === null) return answer;
      return Promise.race([answer, delay(patienceMs, undefined, { ref: false }).then(() => older)]);
    },
    forget: (crew) => known.delete(crew),
  };
}

function inputsAnswer(outcome: CallOutcome): InputsAnswer {
  const verdict = judge(outcome);
  switch (verdict.kind) {
    case 'success': {
      const body = parseJsonBody(verdict.text);
      const inputs = body && parseInputs(body.value);
      return inputs ? { kind: 'inputs', ...inputs } : { kind: 'unreadable' };
    }
    case 'refused':
      return { kind: 'refused', code: verdict.code, detail: verdict.error.detail };
    case 'unavailable':
    case 'unknown':
      return { kind: 'unreachable' };
  }
}
