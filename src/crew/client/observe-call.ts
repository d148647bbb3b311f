import type { Logger } from 'pino';

/** A call to a crew service, for metrics. `outcome` is the kind of its answer. */
export interface ObservedCall {
  crew: string;
  method: CallMethod;
  outcome: string;
  durationMs: number;
}

type CallMethod = 'kickoff' | 'resume' | 'status' | 'inputs';

/** The ids that a log line carries. */
interface CallIds {
  crew: string;
  method: CallMethod;
  ref?: string;
  hop?: number;
  kickoffId?: string;
}

type WatchCall = <Answer extends { kind: string }>(ids: CallIds, make: () => Promise<Answer>) => Promise<Answer>;

/** Times each call and logs its outcome at debug level; what it means is for the caller to log. */
export function createWatchCall(log: Logger, observe: ((call: ObservedCall) => void) | undefined): WatchCall {
  return async ({ method, ...ids }, make) => {
    const begin = performance.now();
    const answer = await make();
    const durationMs = Math.round(performance.now() - begin);
    observe?.({ crew: ids.crew, method, outcome: answer.kind, durationMs });
    log.debug({ ...ids, ...factsOf(answer), outcome: answer.kind, durationMs }, method);
    return answer;
  };
}

/** Facts that are neither secret nor content: ids, codes and numbers. */
const FACTS = ['kickoffId', 'doubt', 'waitMs', 'code', 'status'];

function factsOf(answer: object): Record<string, unknown> {
  const inner = Object.entries(answer).flatMap(([name, value]) =>
    name === 'refusal' || name === 'failure' ? Object.entries(Object(value)) : [],
  );
  return Object.fromEntries([...Object.entries(answer), ...inner].filter(([name]) => FACTS.includes(name)));
}
