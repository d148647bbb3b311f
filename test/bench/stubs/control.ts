import { createRateLimits } from './rate-limits.ts';
import { forget, monotonicMs, type StubAnswer, type StubState } from './state.ts';

/** What the harness asks of the stubs; see `harness/stubs.ts`. */
export function answerControl(state: StubState, path: string): StubAnswer | null {
  const done = { body: {} };
  const [command, id = '', completed, total] = path.split('/');
  switch (command) {
    case 'progress':
      state.progress.set(id, [Number(completed), Number(total)]);
      return done;
    case 'counts':
      return { body: counts(state) };
    case 'posted':
      return { body: state.posted.map((each) => ({ ...each })) };
    case 'updated':
      return { body: [...state.updatedAt].map(([ts, at]) => ({ ts, at })) };
    case 'resumed':
      return { body: state.resumed.map(({ taskId, at }) => ({ taskId, at })) };
    case 'published':
      return { body: state.published.map((each) => ({ ...each })) };
    case 'addresses':
      return { body: [...state.kickoffs, ...state.resumed.map(({ raw }) => raw)] };
    case 'forget':
      forget(state);
      return done;
    case 'limit':
      state.limits = createRateLimits();
      return done;
    case 'resumes-unavailable':
      state.resumeStatus = 503;
      return done;
    case 'resumes-available':
      state.resumeStatus = 200;
      return done;
  }
  return null;
}

function counts({ calls, refused, posts, cards, updatedAt, resumed, kickoffs, busyAt }: StubState) {
  const sums = { posts, cards, updated: updatedAt.size, resumed: resumed.length, kickoffs: kickoffs.length };
  return { ...sums, calls, refused, quietMs: monotonicMs() - busyAt };
}
