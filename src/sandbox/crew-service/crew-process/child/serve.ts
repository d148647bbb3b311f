// Answers the service, in a process with the code of crews.
import { Socket } from 'node:net';
import { pathToFileURL } from 'node:url';
import { type Crew, describeTask, type Task } from '../../coded-crew.ts';
import type { Performed, Steps } from '../../crew-description.ts';
import { errorMessage } from '../../error-message.ts';
import { performTask } from '../../executions/perform-task.ts';
import { type Json, type JsonObject, jsonOf } from '../../json.ts';
import { type ModelSettings, modelSettingsIn } from '../../model/model-server.ts';
import type { ScriptedCrew } from '../../sandbox-api/scripted-crew.ts';
import { untilAborted } from '../../waiting.ts';
import { type FromProcess, type Request, readLines, type ToProcess } from '../messages.ts';

/** The service gives this process its end of the connection as this file descriptor. */
const DESCRIPTOR = 3;

/** The time that written output may take to leave this process. */
const FLUSH_MS = 300;

let crews: readonly (Crew | ScriptedCrew)[] = [];
const socket = connectToService(take);
const performer = createPerformer(socket.say, modelSettingsIn(process.env));

process.on('uncaughtException', (error) => endWith('Uncaught error', error));
process.on('unhandledRejection', (reason) => endWith('Unhandled rejection', reason));

function endWith(what: string, error: unknown): void {
  console.error(error);
  socket.sayAndEnd({ type: 'stray', message: `${what}: ${errorMessage(error)}` });
}

function take(message: ToProcess): void {
  switch (message.type) {
    case 'stored':
      performer.stored(message.reported);
      return;
    case 'abort':
      performer.abort(message.id, message.reason);
      return;
    case 'load':
    case 'check':
    case 'perform':
      void answer(message);
  }
}

type Asked = Exclude<ToProcess, { type: 'stored' | 'abort' }>;

async function answer(request: Asked): Promise<void> {
  const { id } = request;
  try {
    socket.say({ type: 'answer', id, value: await valueFor(request) });
  } catch (error) {
    console.error(error);
    socket.say({ type: 'error', id, message: errorMessage(error) });
  }
}

async function valueFor(request: Asked): Promise<Json> {
  switch (request.type) {
    case 'load':
      crews = await loadCrews(request.file, request.options);
      return jsonOf(crews.map(described), 'What describes the crews');
    case 'check':
      return jsonOf(await codeOf(request.crew).checkInputs(request.inputs), 'What the inputs were checked to');
    case 'perform':
      return performer.perform(codeOf(request.crew).tasks, request);
  }
}

function codeOf(name: string): Crew {
  const crew = crews.find((one) => one.name === name);
  if (crew?.kind !== 'coded') throw new Error(`The crew file no longer has a crew "${name}".`);
  return crew;
}

function described(crew: Crew | ScriptedCrew) {
  const { kind, name, inputNames } = crew;
  if (crew.kind === 'scripted') return { kind, name, inputNames, script: crew.script };
  return { kind, name, inputNames, tasks: crew.tasks.map(describeTask) };
}

/** Imports a crew file. Rejects with what it throws, or with what it lacks. */
async function loadCrews(file: string, options: JsonObject): Promise<readonly (Crew | ScriptedCrew)[]> {
  const { crews } = await import(pathToFileURL(file).href);
  const exported: unknown = typeof crews === 'function' ? await crews(options) : crews;
  if (!Array.isArray(exported) || exported.length === 0)
    throw new Error('It exports no `crews`: a list of crews, or a function that returns one.');
  if (!exported.every(isCrew)) throw new Error('It exports `crews` that are not all made by defineCrew.');
  return exported;
}

function isCrew(value: unknown): value is Crew | ScriptedCrew {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && /^(coded|scripted)$/.test(String(value.kind))
  );
}

type PerformRequest = Extract<Request, { type: 'perform' }> & { readonly id: number };

/** Runs the code of tasks, each by the id of its request. */
interface Performer {
  perform(tasks: readonly Task[], request: PerformRequest): Promise<Performed>;
  /** The service has stored what was reported with this number. */
  stored(reported: number): void;
  abort(id: number, reason: string): void;
}

function createPerformer(say: (message: FromProcess) => void, model: ModelSettings | undefined): Performer {
  const controllers = new Map<number, AbortController>();
  const waiting = new Map<number, () => void>();
  let lastReported = 0;

  /** Resolves once the service has stored it. */
  function report(message: (reported: number) => FromProcess): Promise<void> {
    const reported = ++lastReported;
    return new Promise((resolve) => {
      waiting.set(reported, resolve);
      say(message(reported));
    });
  }

  function stepsFor({ id, done }: PerformRequest, signal: AbortSignal): Steps {
    return {
      done: new Map(done),
      store: (step) =>
        untilAborted(
          report((reported) => ({ type: 'step', id, reported, ...step })),
          signal,
        ),
      tell: (told) =>
        untilAborted(
          report((reported) => ({ type: 'tell', id, reported, report: told })),
          signal,
        ),
    };
  }

  return {
    async perform(tasks, request) {
      const controller = new AbortController();
      controllers.set(request.id, controller);
      const { signal } = controller;
      try {
        const { attempt } = request;
        return await performTask({ tasks, attempt, steps: stepsFor(request, signal), model, signal });
      } finally {
        controllers.delete(request.id);
      }
    },
    stored(reported) {
      waiting.get(reported)?.();
      waiting.delete(reported);
    },
    abort: (id, reason) => controllers.get(id)?.abort(new DOMException(reason, 'AbortError')),
  };
}

/** The connection to the service. */
interface ServiceSocket {
  say(message: FromProcess): void;
  /** Says why this process ends, and ends it. */
  sayAndEnd(message: FromProcess): void;
}

function connectToService(take: (message: ToProcess) => void): ServiceSocket {
  const socket = new Socket({ fd: DESCRIPTOR });
  // The signal ends the processes that this one has started, too.
  const end = () => process.kill(-process.pid, 'SIGKILL');
  const endSoon = () => {
    setTimeout(end, FLUSH_MS);
    flush(end);
  };
  // The service is done with this process, or gone.
  socket.on('error', end).on('close', endSoon);
  readLines({
    from: socket,
    longest: Number.POSITIVE_INFINITY,
    take: (line) => take(JSON.parse(line)),
    tooLong: end,
  });
  const write = (message: FromProcess, done?: () => void) => socket.write(`${JSON.stringify(message)}\n`, done);
  return { say: (message) => write(message), sayAndEnd: (message) => flush(() => write(message, end)) };
}

/** Calls `then` once what crew code has written to stdout and stderr has left this process. */
function flush(then: () => void): void {
  process.stdout.write('', () => process.stderr.write('', then));
}
