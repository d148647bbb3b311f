import { resolve } from 'node:path';
import type { z } from 'zod';
import { errorMessage } from '../error-message.ts';
import type { CrewCode } from '../executions/crew-code.ts';
import { type ScriptedCrew, scriptedCrew } from '../sandbox-api/scripted-crew.ts';
import { codeInProcesses } from './code-in-processes.ts';
import { type DescribedCrew, describedCrews } from './described-crews.ts';
import { type CrewFile, createProcessPool, type PoolSettings, type ProcessPool } from './process-pool.ts';
import { createTurns } from './turns.ts';

export type HostSettings = Omit<PoolSettings, 'stopping'> & {
  /** How many runs work at once; half of them of one crew at most, where there are several. */
  readonly runsAtOnce: number;
  /** How long checking inputs may take. */
  readonly checkLimitMs: number;
};

/** The crews of crew files. */
export interface HostedCrews {
  readonly coded: readonly CrewCode[];
  readonly scripted: readonly ScriptedCrew[];
  /** Where each of them comes from. */
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
