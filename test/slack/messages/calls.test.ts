import { describe, expect, it } from 'vitest';
import { type DueAction, dueActionsAt, dueAt } from '../../../src/core/due-actions.ts';
import { postpone } from '../../../src/core/messages/delivery.ts';
import { rootChange } from '../../../src/core/messages/due-messages.ts';
import { ProgressDelays } from '../../../src/slack/messages/turns.ts';
import { type Course, fiveTasks } from '../../core/histories/five-tasks.ts';
import { answered, begin, type World, worked } from '../../core/histories/world.ts';
import { starting } from '../../support/executions.ts';
import { RULES, START } from '../../support/requests.ts';

interface Run {
  world: World;
  events: ReturnType<typeof fiveTasks>;
}

interface SlackCall {
  ref: string;
  at: number;
  what: string;
}

/** What polls find: the run goes on. */
const RUNNING = 1;
const OVER_MS = 120_000;
/** Between the starts of the runs. */
const START_MS = 300;

/** The calls of this many runs in one channel. Slack and the crew answer each call at once, and well. */
function callsOf(runs: number, course: Course): SlackCall[] {
  const calls: SlackCall[] = [];
  const delays = new ProgressDelays();
  const all = Array.from({ length: runs }, (_, i): Run => {
    const startAt = START + i * START_MS;
    return { world: begin(starting({ ref: `ref${i}` }), startAt, RULES), events: fiveTasks(startAt, course) };
  });
  for (let next = earliest(all); next && nextAt(next) < START + OVER_MS; next = earliest(all))
    advance(next, delays, calls);
  return calls;
}

const earliest = (runs: Run[]) => runs.toSorted((a, b) => nextAt(a) - nextAt(b))[0];

function nextAt({ world, events: [event] }: Run): number {
  const due = dueAt(world.execution) ?? Number.POSITIVE_INFINITY;
  return Math.max(world.now, Math.min(due, event?.at ?? Number.POSITIVE_INFINITY));
}

/** Does what is due, or lets the next event happen. */
function advance(run: Run, delays: ProgressDelays, calls: SlackCall[]): void {
  const now = nextAt(run);
  const world = { ...run.world, now };
  const [action] = dueActionsAt(world.execution, now);
  if (action) {
    run.world = done(world, action, { delays, calls });
    return;
  }
  const event = run.events.shift();
  run.world = event ? { ...world, execution: event.change(world.execution, now) } : world;
}

function done(
  world: World,
  action: DueAction,
  { delays, calls }: { delays: ProgressDelays; calls: SlackCall[] },
): World {
  const { execution, now } = world;
  const { ref, channel } = execution;
  if (action.kind === 'post' || action.kind === 'update') {
    const { message } = action;
    const waitMs =
      rootChange(execution) === 'progress' && message.kind === 'root' ? delays.waitMs(channel, ref, now) : 0;
    if (waitMs > 0) return { ...world, execution: postpone(execution, message, waitMs, now) };
    if (message.kind === 'root') delays.updated(channel, ref, now);
    calls.push({ ref, at: now, what: `${action.kind} ${message.kind}` });
  }
  const begun = worked(world, action);
  return begun.calls.reduce((each, call) => answered(each, call, call.kind === 'poll' ? RUNNING : 0), begun);
}

/** The longest time for which the root of a run wasn't updated. */
function longestPauseMs(calls: SlackCall[], ref: string): number {
  const at = calls.flatMap((call) => (call.ref === ref && call.what.endsWith('root') ? [call.at] : []));
  return Math.max(...at.slice(1).map((each, i) => each - (at[i] ?? 0)));
}

describe.each<Course & { runs: number; most: number; pauseMs: number }>([
  { runs: 1, first: 'task', thinkingMs: 100, most: 14, pauseMs: 11_000 },
  { runs: 1, first: 'request', thinkingMs: 100, most: 14, pauseMs: 11_000 },
  { runs: 1, first: 'task', thinkingMs: 4_000, most: 16, pauseMs: 11_000 },
  { runs: 3, first: 'task', thinkingMs: 100, most: 42, pauseMs: 16_000 },
  { runs: 5, first: 'task', thinkingMs: 100, most: 60, pauseMs: 26_000 },
  { runs: 5, first: 'request', thinkingMs: 100, most: 60, pauseMs: 26_000 },
])(
  'runs of five tasks, fifty steps and two approvals in one channel: $runs, $first first, decided after $thinkingMs ms',
  ({ runs, most, pauseMs, ...course }) => {
    const calls = callsOf(runs, course);
    const count = (what: string) => calls.filter((call) => call.what === what).length / runs;

    it(`make at most ${most} calls to Slack`, () => {
      expect(calls.length).toBeLessThanOrEqual(most);
    });

    it('tell everything once: tasks, requests, decisions and the end', () => {
      expect(['post root', 'post card', 'update card', 'post ending'].map(count)).toEqual([1, 2, 2, 1]);
      // Cards and endings show the outputs of the other three tasks.
      expect(count('post task')).toBe(2);
    });

    it('leave no root behind for long', () => {
      const pauses = [...new Set(calls.map(({ ref }) => ref))].map((ref) => longestPauseMs(calls, ref));
      expect(pauses).toHaveLength(runs);
      expect(Math.max(...pauses)).toBeLessThan(pauseMs);
    });
  },
);
