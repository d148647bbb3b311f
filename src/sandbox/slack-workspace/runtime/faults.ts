import type { JsonObject } from '../json.ts';

export type FaultEffect =
  /** 429 with `Retry-After`. */
  | { kind: 'rate-limited'; retryAfterSeconds: number }
  /** An HTTP error; the call is not applied. */
  | { kind: 'status'; status: number }
  /** A platform error such as `internal_error`; the call is not applied. */
  | { kind: 'error'; error: string }
  /** Answered with success, but not applied, as Slack may treat an ephemeral message: it doesn't guarantee that one is shown. */
  | { kind: 'ignored' }
  /** The call is applied, but answered late. */
  | { kind: 'delay'; delayMs: number }
  /** The call is applied, and answered, only once this resolves, though its caller may be gone by then. */
  | { kind: 'hold'; until: Meanwhile }
  /** The connection breaks; the call is not applied. */
  | { kind: 'drop'; meanwhile?: Meanwhile }
  /** The call is applied, then the connection breaks without an answer. */
  | { kind: 'apply-then-drop'; meanwhile?: Meanwhile }
  /** Never answered; the connection stays open until the caller gives up. */
  | { kind: 'silence'; apply: boolean };

/** Awaited before the call goes on or its connection breaks, so that a test can kill the calling process. */
type Meanwhile = () => Promise<void>;

export type Fault = {
  /** A Web API method, `upload` (a file's bytes), `response_url`, or `*`. */
  method: string;
  effect: FaultEffect;
  /** Which matching call fails first; 1 is the next. Default 1. */
  nth?: number;
  /** The number of consecutive calls that fail. Default 1. */
  times?: number;
  /** Only calls with these arguments match. */
  where?: { [argument: string]: string };
  /** Only calls whose arguments, as JSON, contain this text match. */
  containing?: string;
};

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  /** Counts a call and returns the effect on it, if any. */
  take(method: string, args: JsonObject): FaultEffect | undefined;
  /** Counts a call as waiting until its caller gives up. */
  keepWaiting(untilGivenUp: Promise<unknown>): Promise<void>;
  /** Returns the number of calls that wait without an answer. */
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
        if (entry.seen >= last) armed = armed.filter((fault) => fault !== entry);
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
  if (fault.containing !== undefined && !JSON.stringify(args).includes(fault.containing)) return false;
  return Object.entries(fault.where ?? {}).every(([name, value]) => String(args[name]) === value);
}
