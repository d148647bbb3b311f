import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../json.ts';
import type { FaultEffect } from '../runtime/faults.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { BrokenRule, WireEntry } from '../wire-entry.ts';
import { type Exchange, sendJson, sendText } from './request.ts';

/** A call from the app. `name` identifies it in the wire log and in faults. */
type AppCall = {
  name: string;
  /** The start of the call, in milliseconds since the epoch. */
  at: number;
  args: JsonObject;
  request: Json;
  apply(): Served;
};

export type Served = {
  status: number;
  /** JSON, or text. */
  body: JsonObject | string;
  headers?: Record<string, string>;
  error?: string;
  broken?: BrokenRule[];
};

type Log = (entry: Pick<WireEntry, 'outcome'> & Partial<WireEntry>) => void;

/** Answers a call, applying any matching fault, and logs it on the wire. */
export async function serveCall(workspace: Workspace, exchange: Exchange, call: AppCall): Promise<void> {
  const { name, at, request } = call;
  const log: Log = (entry) =>
    workspace.wire.add({
      at,
      direction: 'from-app',
      transport: 'http',
      name,
      request,
      tookMs: workspace.now() - at,
      broken: [],
      ...entry,
    });
  const fault = workspace.faults.take(name, call.args);
  const refusal = fault && refusalOf(fault);
  if (fault?.kind === 'drop') {
    await fault.meanwhile?.();
    return breakOff(exchange, log);
  }
  if (fault?.kind === 'silence') {
    const unsent = fault.apply ? call.apply().body : undefined;
    await workspace.faults.keepWaiting(callerGone(exchange));
    return log({ outcome: 'timeout', ...(unsent && { response: unsent }) });
  }
  if (fault?.kind === 'hold') await fault.until();
  const { status, body, headers, error, broken = [] } = refusal ?? call.apply();
  if (fault?.kind === 'delay') await pause(fault.delayMs, undefined, { signal: workspace.ended });
  if (fault?.kind === 'apply-then-drop') {
    await fault.meanwhile?.();
    return breakOff(exchange, log, body);
  }
  const outcome = error === undefined ? 'ok' : 'error';
  log({ outcome, response: body, status, broken, ...(error !== undefined && { error }) });
  if (typeof body === 'string') sendText(exchange.response, status, body);
  else sendJson(exchange.response, status, body, headers);
}

async function callerGone({ request: { socket } }: Exchange): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close');
}

function breakOff({ request }: Exchange, log: Log, unsent?: Json): void {
  log({ outcome: 'dropped', ...(unsent && { response: unsent }) });
  request.socket.destroy();
}

/** The answer of a fault that replaces the call; undefined for faults that let it through. */
function refusalOf(fault: FaultEffect): Served | undefined {
  const refusal = (status: number, error: string): Served => ({ status, error, body: { ok: false, error } });
  switch (fault.kind) {
    case 'rate-limited':
      return { ...refusal(429, 'ratelimited'), headers: { 'retry-after': String(fault.retryAfterSeconds) } };
    case 'status':
      return refusal(fault.status, `http_${fault.status}`);
    case 'error':
      return refusal(200, fault.error);
    case 'ignored':
      return { status: 200, body: { ok: true } };
    case 'drop':
    case 'delay':
    case 'hold':
    case 'apply-then-drop':
    case 'silence':
      return undefined;
  }
}
