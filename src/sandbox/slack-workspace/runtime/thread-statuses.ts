import type { ThreadStatus } from '../people-api.ts';

/** “A two minute timeout applies.” https://docs.slack.dev/reference/methods/assistant.threads.setStatus */
const LIFE_MS = 120_000;

/** One for each thread. They don't survive a restart. */
export type ThreadStatuses = {
  set(status: ThreadStatus): void;
  /** Returns whether there was one. */
  clear(place: Pick<ThreadStatus, 'channel' | 'threadTs'>): boolean;
  shown(): ThreadStatus[];
};

/** `onExpiry` is called when one is no longer shown. */
export function createThreadStatuses(now: () => number, onExpiry: () => void): ThreadStatuses {
  let all: { status: ThreadStatus; until: number }[] = [];
  const others = ({ channel, threadTs }: Pick<ThreadStatus, 'channel' | 'threadTs'>) =>
    all.filter(({ status }) => status.channel !== channel || status.threadTs !== threadTs);
  return {
    set(status) {
      all = [...others(status), { status, until: now() + LIFE_MS }];
      setTimeout(onExpiry, LIFE_MS).unref();
    },
    clear(place) {
      const before = all.length;
      all = others(place);
      return all.length < before;
    },
    shown: () => all.filter(({ until }) => now() < until).map(({ status }) => status),
  };
}
