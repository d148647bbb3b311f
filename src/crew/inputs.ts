// The names of a crew's inputs, cached for the start form.

import { setTimeout as delay } from 'node:timers/promises';
import type { InputsAnswer } from '../core/execution/events.ts';
import type { DeployedCrew } from '../core/policy/crew.ts';
import type { Json } from '../core/values/json.ts';
import { judge, unread } from './answers.ts';
import type { CallOutcome } from './call.ts';
import { candidates, has, isJsonObject, parseJsonBody, pick, plainLine } from './payload.ts';

interface InputsReaderOptions {
  /** Lifetime of an answer. Crews are rarely redeployed, and the kickoff reports an input that the form lacks. */
  freshMs: number;
  /** Time to wait for a crew with an older cached answer: Slack allows three seconds for a submission. */
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
  fetch: (crew: DeployedCrew) => Promise<CallOutcome>,
  options: Partial<InputsReaderOptions> = {},
) {
  const { freshMs, patienceMs, onSkipped } = { ...OPTIONS, ...options };
  const cache = new Map<string, Remembered>();

  function ask(crew: DeployedCrew, older: Promise<InputsAnswer> | null): Remembered {
    const answer = fetch(crew).then(inputsAnswer);
    const entry = { answer, older, until: performance.now() + freshMs };
    cache.set(crew.name, entry);
    void answer.then((inputs) => {
      if (inputs.kind !== 'inputs') {
        if (cache.get(crew.name) === entry) cache.delete(crew.name);
      } else if (inputs.skipped.length > 0) onSkipped(crew.name, inputs.skipped);
    });
    return entry;
  }

  return {
    /** Answers from the cache while it is fresh or the crew is slow; concurrent requests share one call. */
    read(crew: DeployedCrew): Promise<InputsAnswer> {
      const cached = cache.get(crew.name);
      const isFresh = cached !== undefined && performance.now() < cached.until;
      const { answer, older } = isFresh ? cached : ask(crew, cached?.answer ?? null);
      if (older === null) return answer;
      return Promise.race([answer, delay(patienceMs, undefined, { ref: false }).then(() => older)]);
    },
    /** Drops the cached answer, which the service has contradicted. */
    forget: (crew: string) => cache.delete(crew),
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
      return unread(verdict);
  }
}

/** The names of a crew's inputs, in its order. */
interface InputNames {
  names: string[];
  /** Unusable names, made safe to show in a warning. */
  skipped: string[];
}

const LONGEST_NAME = 200;

/** Reads the answer to `GET /inputs` in every shape seen in the field; null if it has none of them. */
export function parseInputs(body: Json): InputNames | null {
  const list = listOf(body);
  if (!list) return null;
  const all = [...new Set(list.flatMap(nameOf))];
  return {
    names: all.filter(isUsable),
    skipped: all.filter((name) => !isUsable(name)).map((name) => plainLine(name, 60)),
  };
}

function listOf(body: Json): Json[] | null {
  const payload = candidates(body).find((each) => has(each, 'inputs'));
  const list = payload ? pick(payload, 'inputs') : body;
  if (Array.isArray(list)) return list;
  return payload && isJsonObject(list) ? Object.keys(list) : null;
}

function nameOf(item: Json): string[] {
  const name = isJsonObject(item) ? pick(item, 'name') : item;
  return typeof name === 'string' ? [name.trim()] : [];
}

/** Returns true if a name can be typed in a command line and shown safely. */
export function isUsable(name: string): boolean {
  return (
    name !== '' && name.length <= LONGEST_NAME && name !== '__proto__' && !/["'`\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)
  );
}
