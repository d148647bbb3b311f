import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Json, JsonObject } from '../json.ts';
import { withTimeLimit } from '../waiting.ts';
import { type CrewProcess, createCrewProcess, type ProcessSettings, startProcess } from './crew-process.ts';

/** A module on this machine that exports `crews`, and the options for it, if that is a function. */
export type CrewFile = { readonly file: string; readonly options?: JsonObject };

type User = { readonly crew: string; readonly runId?: string };

/** The processes of a crew file. */
export interface ProcessPool {
  /** Loads the file for the first time. Resolves to what describes its crews. Rejects with the reason if it doesn't load. */
  load(): Promise<Json>;
  /** A process that has run code of no other crew. Rejects if the file doesn't load any more. */
  take(user: User): Promise<CrewProcess>;
  /** Keeps a process for the crew's next use, for a minute. */
  giveBack(crew: string, process: CrewProcess): void;
  /** Ends all processes. */
  close(): Promise<void>;
}

export type PoolSettings = ProcessSettings & {
  readonly logger: Logger;
  /** The time limit of loading a crew file. */
  readonly loadLimitMs: number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
};

const KEPT_MS = 60_000;

/** The first one, which no crew has used yet. */
const UNUSED = '';

type Kept = { readonly process: CrewProcess; readonly timer: NodeJS.Timeout };

export function createProcessPool({ file, options = {} }: CrewFile, settings: PoolSettings): ProcessPool {
  const { logger, loadLimitMs, stopping } = settings;
  const all = new Set<CrewProcess>();
  const idle = new Map<string, Kept>();
  const users = new WeakMap<CrewProcess, User>();

  function start(user: User): CrewProcess {
    const started = startProcess(settings);
    const process = createCrewProcess(started);
    users.set(process, user);
    all.add(process);
    void started.ended.then(() => all.delete(process));
    for (const from of [started.stdout, started.stderr]) {
      logOutput({ from, logger, fields: () => ({ file, ...users.get(process) }) });
    }
    return process;
  }

  /** Resolves to what describes the crews of the file. */
  async function load(process: CrewProcess): Promise<Json> {
    const words = `It took longer than ${loadLimitMs} ms to load.`;
    const ask = (signal: AbortSignal) => process.ask({ type: 'load', file, options }, signal);
    return withTimeLimit({ ms: loadLimitMs, words, stopping, work: ask });
  }

  function takeKept(crew: string): CrewProcess | undefined {
    const entry = idle.get(crew);
    clearTimeout(entry?.timer);
    idle.delete(crew);
    return entry?.process.isUsable() ? entry.process : undefined;
  }

  function keep(crew: string, process: CrewProcess): void {
    void takeKept(crew)?.end();
    const timer = setTimeout(() => takeKept(crew)?.end(), KEPT_MS).unref();
    idle.set(crew, { process, timer });
  }

  return {
    async load() {
      const process = start({ crew: UNUSED });
      const described = await load(process);
      keep(UNUSED, process);
      return described;
    },
    async take(user) {
      const reused = takeKept(user.crew) ?? takeKept(UNUSED);
      const process = reused ?? start(user);
      users.set(process, user);
      if (reused === undefined) await load(process);
      return process;
    },
    giveBack: keep,
    async close() {
      await Promise.all([...all].map((process) => process.end()));
    },
  };
}

type Output = {
  readonly from: Readable;
  readonly logger: Logger;
  /** Whose output it is at this moment. */
  readonly fields: () => object;
};

const LINES_A_SECOND = 50;
const LONGEST_LINE = 2_000;

/** The number of characters that are read in a second. A process that writes more has to wait. */
const READ_A_SECOND = 1_000_000;

/** Logs what a process writes: a few lines a second, and how many were left out. */
function logOutput({ from, logger, fields }: Output): void {
  let line = '';
  let logged = 0;
  let leftOut = 0;
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;

  function endLine(): void {
    if (line.trim() !== '') {
      if (logged++ < LINES_A_SECOND) logger.info({ ...fields(), output: line }, 'crew output');
      else leftOut++;
    }
    line = '';
  }

  function endSecond(): void {
    timer = undefined;
    if (leftOut > 0) logger.warn({ ...fields(), leftOut }, 'crew output left out: more than 50 lines in a second');
    logged = leftOut = characters = 0;
    from.resume();
  }

  from.setEncoding('utf8').on('data', (text: string) => {
    timer ??= setTimeout(endSecond, 1_000).unref();
    characters += text.length;
    if (characters > READ_A_SECOND) from.pause();
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) endLine();
      if (line.length < LONGEST_LINE) line += part.slice(0, LONGEST_LINE - line.length);
    }
  });
  from.on('end', () => {
    endLine();
    clearTimeout(timer);
    endSecond();
  });
}
