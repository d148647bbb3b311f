// The bot, run from source in a process of its own, reports to its parent which functions of src/ are called.
// A stage ends synchronously inside the event that ends it, so that nothing counts that happens afterwards.
import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest, type IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import { type Profiler, Session } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHECKOUT } from '../../src/setup/commands.mjs';

/** With an event, given as a regular expression, or at a time. */
export type Beginning = { event: string } | { at: number };

/** What the parent asks for. */
export type Order = { kind: 'quiet' } | { kind: 'round'; from: Beginning; until: string[] };

/** What the parent gets. A function may be in several stages. */
export type Report = { kind: 'ready' } | { kind: 'quiet' } | { kind: 'round'; stages: CalledFunction[][] };

export interface CalledFunction {
  /** The same in each round, and no other function's. */
  id: string;
  path: string;
  /** Where it begins. */
  line: number;
  /** Empty for a function without a name. */
  name: string;
}

/** Keeps out of the measurement what is done at intervals. */
const SELDOM_MS = 3_600_000;

/** A bot that has done nothing for this long, and waits for no answer, has finished what came before. */
const QUIET_MS = 150;

const session = new Session();
session.connect();

/** A session with one's own thread answers synchronously. */
function takeCoverage(): Profiler.ScriptCoverage[] {
  let scripts: Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    scripts = taken.result;
  });
  return scripts;
}

session.post('Debugger.enable');
session.post('Profiler.enable');
// Without counts, V8 reports only the first call of each function.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The functions that were called since the last time. */
function takeFunctions(): CalledFunction[] {
  return takeCoverage().flatMap(({ scriptId, url, functions }) => {
    const path = sourceFile(url);
    if (path === null) return [];
    return functions.filter(isCalled).map((called) => describe(called, { scriptId, url, path }));
  });
}

/** V8 also reports a module, and the fields of a class, as a function; tsx adds one that gives others their names. */
function isCalled({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  const isModule = functionName === '' && range?.startOffset === 0;
  return !isModule && !/^(<.*>|__name)$/.test(functionName) && (range?.count ?? 0) > 0;
}

function sourceFile(url: string): string | null {
  if (!url.startsWith('file:')) return null;
  const path = fileURLToPath(url).slice(CHECKOUT.length + 1);
  return /^src\/(?!sandbox\/|setup\/)/.test(path) ? path : null;
}

const descriptions = new Map<string, CalledFunction>();

function describe(
  { functionName: name, ranges: [range] }: Profiler.FunctionCoverage,
  { scriptId, url, path }: { scriptId: string; url: string; path: string },
): CalledFunction {
  const offset = range?.startOffset ?? 0;
  const id = `${scriptId}:${offset}`;
  const known = descriptions.get(id);
  if (known) return known;
  const description = { id, path, line: lineOf(scriptId, url, offset), name };
  descriptions.set(id, description);
  return description;
}

/** The line in the source, of which tsx has made the script. */
function lineOf(scriptId: string, url: string, offset: number): number {
  let before: string[] = [];
  session.post('Debugger.getScriptSource', { scriptId }, (error, { scriptSource }) => {
    if (error) throw error;
    before = scriptSource.slice(0, offset).split('\n');
  });
  const entry = findSourceMap(url)?.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
  return entry && 'originalLine' in entry ? entry.originalLine + 1 : before.length;
}

interface Round {
  /** The event that begins it; null once it has begun. */
  from: string | null;
  until: string[];
  stages: CalledFunction[][];
}

let round: Round | null = null;

function playedRound(): Round | null {
  return round?.from === null ? round : null;
}

/** Begins or ends a stage where this is the event that it waits for. */
function happened(event: string): void {
  const awaited = round?.from ?? round?.until[0];
  if (round === null || awaited === undefined || !new RegExp(awaited, 's').test(event)) return;
  const functions = takeFunctions();
  if (round.from !== null) {
    round.from = null;
    return;
  }
  round.until.shift();
  round.stages.push(functions);
  if (round.until.length > 0) return;
  report({ kind: 'round', stages: round.stages });
  round = null;
  areTimersHeld = false;
}

/** The requests, calls and commands of Redis that wait for their answer. */
const inProgress = new Set<object>();

// The events: `received POST /path TYPE`, `answered POST /path TYPE 200`, where TYPE is the content type of the request, and,
// with its body, `called POST /path text=…`.
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
  const { method, url, headers } = request;
  inProgress.add(request);
  response.once('close', () => inProgress.delete(request));
  happened(`received ${method} ${url} ${headers['content-type']}`);
});
subscribe('undici:request:create', (message) => {
  const { request } = message as { request: { method: string; path: string; body: unknown } };
  const { method, path, body } = request;
  inProgress.add(request);
  happened(`called ${method} ${path} ${body}`);
});
for (const end of ['undici:request:trailers', 'undici:request:error'])
  subscribe(end, (message) => inProgress.delete((message as { request: object }).request));
// https://github.com/redis/ioredis: the two messages of a command are the same object.
subscribe('tracing:ioredis:command:start', (command) => inProgress.add(command as object));
subscribe('tracing:ioredis:command:asyncEnd', (command) => inProgress.delete(command as object));
// The bot calls Slack through node:http, whose diagnostics channels don't give the body.
const end = OutgoingMessage.prototype.end;
OutgoingMessage.prototype.end = function (this: OutgoingMessage, ...args: unknown[]) {
  if (this instanceof ServerResponse) {
    const { method, url, headers } = this.req;
    happened(`answered ${method} ${url} ${headers['content-type']} ${this.statusCode}`);
  }
  if (this instanceof ClientRequest) {
    inProgress.add(this);
    this.once('close', () => inProgress.delete(this));
    happened(`called ${this.method} ${this.path} ${args[0]}`);
  }
  return Reflect.apply(end, this, args);
};

/** A timer shorter than this goes off within a quiet moment; a longer one belongs to what happens later. */
const LATER_MS = 100;

/** From the preparation of a round to its end. */
let areTimersHeld = false;

// Heartbeats, polls and looks at the due queue would fall into some rounds and not into others.
globalThis.setTimeout = holdBack(setTimeout, 'once');
globalThis.setInterval = holdBack(setInterval, 'repeatedly');

/** A timer that was set before a round, and isn't short, goes off after the round. */
function holdBack<SetTimer extends typeof setTimeout | typeof setInterval>(
  set: SetTimer,
  how: 'once' | 'repeatedly',
): SetTimer {
  return new Proxy(set, {
    apply(set, self, [callback, ms = 0, ...args]) {
      const setIn = playedRound();
      const goOff = () => {
        const belongsToRound = setIn !== null && setIn === playedRound();
        if (!areTimersHeld || belongsToRound || ms < LATER_MS) callback(...args);
        else if (how === 'once') timer.refresh();
      };
      const timer: NodeJS.Timeout = Reflect.apply(set, self, [goOff, ms]);
      return timer;
    },
  });
}

function report(report: Report): void {
  process.send?.(report);
}

async function untilQuiet(): Promise<void> {
  areTimersHeld = true;
  do {
    takeFunctions();
    await pause(QUIET_MS);
  } while (inProgress.size > 0 || takeFunctions().length > 0);
}

process.on('message', async (order: Order) => {
  switch (order.kind) {
    case 'quiet':
      await untilQuiet();
      report({ kind: 'quiet' });
      return;
    case 'round': {
      const { from, until } = order;
      if ('at' in from) {
        // The reminder itself is an earlier timer.
        areTimersHeld = false;
        await pause(from.at - Date.now());
      }
      takeFunctions();
      round = { from: 'event' in from ? from.event : null, until, stages: [] };
    }
  }
});
// It ends with its parent, however that ends.
process.on('disconnect', () => process.exit());

// Imported only now: V8 counts reliably in functions that are compiled after coverage has started.
const { startBot } = await import('../../src/bot/bot.ts');
const { readConfig } = await import('../../src/config/config.ts');
const { createLog } = await import('../../src/logging.ts');
const { NO_RATE_LIMITS } = await import('../support/no-rate-limits.ts');

const config = readConfig(process.env);
if (!config.ok) throw new Error(config.refusal.join('\n'));
const log = createLog({ level: config.value.logLevel, readable: false });
await startBot(config.value, log, {
  version: 'traced',
  rates: NO_RATE_LIMITS,
  sealEveryMs: SELDOM_MS,
  lookEveryMs: SELDOM_MS,
});
report({ kind: 'ready' });
