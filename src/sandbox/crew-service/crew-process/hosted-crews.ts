// The crews of crew files, whose code runs in processes of their own.
import { resolve } from 'node:path';
import { z } from 'zod';
import type { CheckedInputs, Performed } from '../crew-description.ts';
import { errorMessage } from '../error-message.ts';
import type { CrewCode, RunCode } from '../executions/crew-code.ts';
import { hasBegun } from '../executions/run.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { type ScriptedCrew, scriptedCrew } from '../sandbox-api/scripted-crew.ts';
import { withTimeLimit } from '../waiting.ts';
import type { CrewProcess } from './crew-process.ts';
import { type DescribedCrew, describedCrews } from './messages.ts';
import { type CrewFile, createProcessPool, type PoolSettings, type ProcessPool } from './process-pool.ts';
import { createTurns, type Turns } from './turns.ts';

export type HostSettings = Omit<PoolSettings, 'stopping'> & {
  /** The number of runs that work at once; half of them of one crew at most, where there are several. */
  readonly runsAtOnce: number;
  /** The time limit of checking inputs. */
  readonly checkLimitMs: number;
};

/** The crews of crew files. */
export interface HostedCrews {
  readonly coded: readonly CrewCode[];
  readonly scripted: readonly ScriptedCrew[];
  /** The file of each of them. */
  readonly files: ReadonlyMap<CrewCode | ScriptedCrew, string>;
  /** Ends all processes, by force. */
  close(): Promise<void>;
}

type Loaded = { readonly file: string; readonly pool: ProcessPool; readonly crew: DescribedCrew };

/** Loads crew files. Rejects with the file's name and what is wrong with it, with nothing left running. */
export async function loadCrewFiles(files: readonly CrewFile[], settings: HostSettings): Promise<HostedCrews> {
  const stopping = new AbortController();
  const pools = files.map(({ file, options }) => {
    const pool = createProcessPool(
      { file: resolve(file), ...(options && { options }) },
      { ...settings, stopping: stopping.signal },
    );
    return { file, pool };
  });
  const close = async () => {
    stopping.abort(new Error('the crew service is stopping'));
    await Promise.all(pools.map(({ pool }) => pool.close()));
  };
  try {
    const loaded = (await Promise.all(pools.map(({ file, pool }) => loadFile(file, pool)))).flat();
    return { ...hosted(loaded, settings, stopping.signal), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function loadFile(file: string, pool: ProcessPool): Promise<Loaded[]> {
  try {
    const described: z.infer<typeof describedCrews> = describedCrews.parse(await pool.load());
    return described.map((crew) => ({ file, pool, crew }));
  } catch (error) {
    throw new Error(`The crew file ${file} can't be used: ${errorMessage(error)}`, { cause: error });
  }
}

function hosted(loaded: readonly Loaded[], { runsAtOnce, checkLimitMs }: HostSettings, stopping: AbortSignal) {
  const ofOneCrew = loaded.length > 1 ? Math.ceil(runsAtOnce / 2) : runsAtOnce;
  const turns = createTurns({ atOnce: runsAtOnce, ofOneCrew });
  const coded: CrewCode[] = [];
  const scripted: ScriptedCrew[] = [];
  const files = new Map<CrewCode | ScriptedCrew, string>();
  for (const { file, pool, crew } of loaded) {
    if (crew.kind === 'scripted') {
      const made = scriptedCrew({ name: crew.name, inputs: crew.inputNames, tasks: crew.script });
      scripted.push(made);
      files.set(made, `in ${file}`);
    } else {
      const made = codeInProcesses({ crew, pool, turns, checkLimitMs, stopping });
      coded.push(made);
      files.set(made, `in ${file}`);
    }
  }
  return { coded, scripted, files };
}

type Parts = {
  readonly crew: Extract<DescribedCrew, { kind: 'coded' }>;
  readonly pool: ProcessPool;
  readonly turns: Turns;
  /** The time limit of checking inputs. */
  readonly checkLimitMs: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
};

/** The code of a crew in processes of its own: one for each run, and one that checks inputs. */
function codeInProcesses({ crew, pool, turns, checkLimitMs, stopping }: Parts): CrewCode {
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
    async open(run, signal) {
      const { id: runId } = run;
      const endTurn = await turns.wait({ crew: name, progress: hasBegun(run) ? 'begun' : 'new' }, signal);
      return runInProcess({ crew: name, take: () => pool.take({ crew: name, runId }), endTurn });
    },
  };
}

const text = z.string();
const object = z.custom<JsonObject>((value) => isObject(value as Json | undefined));

const checkedInputs: z.ZodType<CheckedInputs> = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), inputs: object, typed: text.exactOptional() }),
  z.object({ ok: z.literal(false), missing: z.array(text), invalid: z.array(text) }),
]);

/** Code says that it is JSON, and it has come as JSON. */
const json = z.custom<Json>((value) => value !== undefined);

const call = z.strictObject({ id: text, name: text.min(1), agent: text });

const question = z.strictObject({
  ...call.omit({ id: true }).shape,
  output: json,
  state: object,
  calls: z.array(call),
  call: text,
});

const performed: z.ZodType<Performed> = z.union([z.strictObject({ output: json }), z.strictObject({ question })]);

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
      const running = current;
      const process = await running.catch((error: unknown) => {
        forget(running);
        throw error;
      });
      try {
        const done = [...steps.done];
        return performed.parse(await process.ask({ type: 'perform', crew, attempt, done }, signal, steps));
      } finally {
        if (!process.isUsable()) forget(running);
      }
    },
    async close() {
      const process = await current?.catch(() => undefined);
      await process?.end();
      endTurn();
    },
  };
}

type Named = { readonly name: string };

/** The crews' names. Throws if two have the same one, naming their files. */
export function differentNames(crews: readonly Named[], files: ReadonlyMap<Named, string>): string[] {
  const byName = new Map<string, Named>();
  for (const crew of crews) {
    const other = byName.get(crew.name);
    if (other !== undefined) throw new Error(`Two crews are named "${crew.name}": ${placesOf(other, crew, files)}.`);
    byName.set(crew.name, crew);
  }
  return [...byName.keys()];
}

function placesOf(one: Named, other: Named, files: ReadonlyMap<Named, string>): string {
  const [first = 'in memory', second = 'in memory'] = [files.get(one), files.get(other)];
  return first === second ? `both ${first}` : `one ${first}, one ${second}`;
}
