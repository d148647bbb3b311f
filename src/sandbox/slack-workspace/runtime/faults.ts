import type { JsonObject } from '../json.ts';

/** What goes wrong. */
export type FaultEffect =
  /** 429 with `Retry-After`. */
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  /** An HTTP status with a plain body; nothing is applied. */
  | { kind: 'status'; status: number }
  /** A platform error such as `internal_error`; nothing is applied. */
  | { kind: 'error'; error: string }
  /** The call is applied and answered late. */
  | { kind: 'delay'; delayMs: number }
  /** The connection breaks and nothing was applied. */
  | { kind: 'drop'; meanwhile?: Meanwhile }
  /** The call is applied, then the connection breaks: the caller never hears. */
  | { kind: 'apply-then-drop'; meanwhile?: Meanwhile }
  /** No answer ever comes: the connection stays open until the caller gives up. */
  | { kind: 'silence'; apply: boolean };

/** Awaited while the caller still waits, before its connection breaks: there a test ends the process that called. */
export type Meanwhile = () => Promise<void>;

export type Fault = {
  /** A Web API method, `upload` (a file's bytes), `response_url`, or `*`. */
  method: string;
  effect: FaultEffect;
  /** Which of the matching calls from now on is the first to fail; 1 is the next. Default 1. */
  nth?: number;
  /** How many calls fail in a row. Default 1. */
  times?: number;
  /** Only calls whose arguments contain these. */
  where?: { [argument: string]: string };
};

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  /** The effect on this call, if any; counts the call. */
  take(method: string, args: JsonObject): FaultEffect | undefined;
  /** Counts a call that gets no answer until its caller gives up. */
  keepWaiting(untilGivenUp: Promise<unknown>): Promise<void>;
  /** How many calls wait for an answer that never comes. */
  waiting(): number;
};

export function createFaults(): Faults {
  let armed: { fault: Fault; seen: number }[] = [];
  let waiting = 0;
  return {
    add: (fault) => {
      armed.push({ fault, seen: 0 });
    },
    clear: () => {
      armed = [];
    },
    take(method, args) {
      for (const entry of armed) {
        if (!matches(entry.fault, method, args)) continue;
        entry.seen += 1;
        const first = entry.fault.nth ?? 1;
        const last = first + (entry.fault.times ?? 1) - 1;
        if (entry.seen >= last) armed = armed.filter((kept) => kept !== entry);
        if (entry.seen >= first) return entry.fault.effect;
      }
      return undefined;
    },
    async keepWaiting(untilGivenUp) {
      waiting += 1;
      await untilGivenUp;
      waiting -= 1;
    },
    waiting: () => waiting,
  };
}

function matches(fault: Fault, method: string, args: JsonObject): boolean {
  if (fault.method !== '*' && fault.method !== method) return false;
  return Object.entries(fault.where ?? {}).every(([name, value]) => String(args[name]) === value);
}
