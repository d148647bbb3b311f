import { z } from 'zod';
import type { CheckedInputs } from '../crew-description.ts';
import type { CrewCode, RunCode } from '../executions/crew-code.ts';
import type { JsonObject } from '../json.ts';
import { withTimeLimit } from '../time-limit.ts';
import type { CrewProcess } from './crew-process.ts';
import type { DescribedCrew } from './described-crews.ts';
import type { ProcessPool } from './process-pool.ts';
import type { Turns } from './turns.ts';

type Parts = {
  readonly crew: Extract<DescribedCrew, { kind: 'coded' }>;
  readonly pool: ProcessPool;
  readonly turns: Turns;
  /** How long checking inputs may take. */
  readonly checkLimitMs: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
};

/** The code of a crew in processes of its own: one for each run, and one that checks inputs. */
export function codeInProcesses({ crew, pool, turns, checkLimitMs, stopping }: Parts): CrewCode {
  const { name } = crew;
  let before: Promise<unknown> = Promise.resolve();

  async function check(inputs: JsonObject): Promise<CheckedInputs> {
    const process = await pool.take({ crew: name });
    try {
      const words = `The crew "${name}" took longer than ${checkLimitMs} ms to check the inputs.`;
      const work = (signal: AbortSignal) => process.ask({ type: 'check', crew: name, inputs }, signal);
      return checkedInputs.parse(await withTimeLimit({ ms: checkLimitMs, words, stopping, work }));
    } finally {
      pool.giveBack(name, process);
    }
  }

  return {
    ...{ name, inputNames: crew.inputNames, tasks: crew.tasks },
    checkInputs(inputs) {
      // One after another, or many kickoffs would start as many processes.
      const checked = before.then(() => check(inputs));
      before = checked.catch(() => {});
      return checked;
    },
    async open({ id: runId }, signal) {
      const endTurn = await turns.wait(name, signal);
      return runInProcess({ crew: name, take: () => pool.take({ crew: name, runId }), endTurn });
    },
  };
}

const text = z.string();
const inputs = z.custom<JsonObject>((value) => typeof value === 'object' && value !== null);

const checkedInputs: z.ZodType<CheckedInputs> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), inputs, typed: text.exactOptional() }),
  z.object({ ok: z.literal(false), missing: z.array(text), invalid: z.array(text) }),
]);

type RunParts = { readonly crew: string; readonly take: () => Promise<CrewProcess>; readonly endTurn: () => void };

/** A run has one process, and another one only after that has ended by itself or was ended. */
function runInProcess({ crew, take, endTurn }: RunParts): RunCode {
  let current: Promise<CrewProcess> | undefined;

  function forget(ended: Promise<CrewProcess>): void {
    if (current === ended) current = undefined;
  }

  return {
    async perform(attempt, steps, signal) {
      current ??= take();
      const taken = current;
      const process = await taken.catch((error: unknown) => {
        forget(taken);
        throw error;
      });
      try {
        const done = [...steps.done];
        return await process.ask({ type: 'perform', crew, attempt, done }, signal, steps);
      } finally {
        if (!process.isUsable()) forget(taken);
      }
    },
    async close() {
      const process = await current?.catch(() => undefined);
      await process?.end();
      endTurn();
    },
  };
}
