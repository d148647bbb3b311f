// The bot, run from source in a process of its own, reports to its parent in which files of src/ a function is called.
// A stage ends synchronously inside the event that ends it, so that nothing counts that happens afterwards.
import { subscribe } from 'node:diagnostics_channel';
import { ClientRequest, type IncomingMessage, OutgoingMessage, ServerResponse } from 'node:http';
import { type Profiler, Session } from 'node:inspector';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CHECKOUT } from '../../src/setup/commands.mjs';

/** With an event, given as a regular expression, or at a time. */
export type Beginning = { event: string } | { at: number };

/** What the parent asks for. */
export type Order = { kind: 'idle'; forMs: number } | { kind: 'scenario'; from: Beginning; until: string[] };

/** What the parent gets. A file may be in several stages. */
export type Report =
  | { kind: 'ready' }
  | { kind: 'idle'; files: string[] }
  | { kind: 'scenario'; stages: string[][]; tookMs: number };

/** Keeps what is done at intervals out of every scenario. */
const SELDOM_MS = 3_600_000;

const session = new Session();
session.connect();
session.post('Profiler.enable');
// Without counts, V8 reports only the first call of each function.
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The files in which a function was called since the last time. A session with one's own thread answers synchronously. */
function takeFiles(): string[] {
  let scripts: Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    scripts = taken.result;
  });
  return scripts.filter(({ functions }) => functions.some(isCalled)).flatMap(({ url }) => sourceFile(url) ?? []);
}

/** V8 reports a module itself as a function, too, which is called when the module is imported. */
function isCalled({ functionName, ranges: [range] }: Profiler.FunctionCoverage): boolean {
  const isModule = functionName === '' && range?.startOffset === 0;
  return !isModule && (range?.count ?? 0) > 0;
}

function sourceFile(url: string): string | null {
  if (!url.startsWith('file:')) return null;
  const path = fileURLToPath(url).slice(CHECKOUT.length + 1);
  return /^src\/(?!sandbox\/|setup\/)/.test(path) ? path : null;
}

let scenario: { from: string | null; beganAt: number; until: string[]; stages: string[][] } | null = null;

/** Begins or ends a stage where this is the event that it waits for. */
function happened(event: string): void {
  const awaited = scenario?.from ?? scenario?.until[0];
  if (scenario === null || awaited === undefined || !new RegExp(awaited, 's').test(event)) return;
  const files = takeFiles();
  if (scenario.from !== null) {
    scenario.from = null;
    scenario.beganAt = performance.now();
    return;
  }
  scenario.until.shift();
  scenario.stages.push(files);
  if (scenario.until.length > 0) return;
  report({ kind: 'scenario', stages: scenario.stages, tookMs: performance.now() - scenario.beganAt });
  scenario = null;
}

// The events: `received POST /path`, `answered POST /path 200` and, with the body, `called POST /path text=…`.
subscribe('http.server.request.start', (message) => {
  const { method, url } = (message as { request: IncomingMessage }).request;
  happened(`received ${method} ${url}`);
});
subscribe('undici:request:create', (message) => {
  const { method, path, body } = (message as { request: { method: string; path: string; body: unknown } }).request;
  happened(`called ${method} ${path} ${body}`);
});
// The bot calls Slack through node:http, whose diagnostics channels don't give the body.
const end = OutgoingMessage.prototype.end;
OutgoingMessage.prototype.end = function (this: OutgoingMessage, ...args: unknown[]) {
  if (this instanceof ServerResponse) happened(`answered ${this.req.method} ${this.req.url} ${this.statusCode}`);
  if (this instanceof ClientRequest) happened(`called ${this.method} ${this.path} ${args[0]}`);
  return Reflect.apply(end, this, args);
};

function report(report: Report): void {
  process.send?.(report);
}

process.on('message', async (order: Order) => {
  switch (order.kind) {
    case 'idle':
      takeFiles();
      await pause(order.forMs);
      report({ kind: 'idle', files: takeFiles() });
      return;
    case 'scenario': {
      const { from, until } = order;
      if ('at' in from) await pause(from.at - Date.now());
      takeFiles();
      scenario = { from: 'event' in from ? from.event : null, beganAt: performance.now(), until, stages: [] };
    }
  }
});
// It ends with its parent, however that ends.
process.on('disconnect', () => process.exit());

// Imported only now: V8 counts reliably in functions that are compiled after coverage has started.
const { startBot } = await import('../../src/app/bot.ts');
const { readConfig } = await import('../../src/config/config.ts');
const { createLog } = await import('../../src/logging.ts');

const config = readConfig(process.env);
if (!config.ok) throw new Error(config.refusal.join('\n'));
const log = createLog({ level: config.value.logLevel, readable: false });
await startBot(config.value, log, { version: 'traced', sealEveryMs: SELDOM_MS, lookEveryMs: SELDOM_MS });
report({ kind: 'ready' });
