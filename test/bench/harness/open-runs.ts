import { dueAt } from '../../../src/core/due-actions.ts';
import { settleKickoff, startExecution } from '../../../src/core/execution/start.ts';
import { cardFingerprint, rootFingerprint } from '../../../src/core/messages/due-messages.ts';
import { ask } from '../../../src/core/request/ask.ts';
import type { Execution } from '../../../src/core/state/execution.ts';
import type { Question } from '../../../src/core/state/request.ts';
import { inParallel } from '../../../src/core/values/in-parallel.ts';
import { closeRedis, connectRedis, pingRedis } from '../../../src/redis/connection.ts';
import { createExecutionStore } from '../../../src/redis/executions.ts';
import { createOutputStore } from '../../../src/redis/outputs.ts';
import { changed, request } from '../../support/executions.ts';
import { posted, RULES } from '../../support/requests.ts';
import { prose } from './prose.ts';

const AT_ONCE = 16;
/** Nothing is due for the bot while it is measured. */
const LATER_MS = 60 * 60_000;
const OUTPUT_CHARACTERS = 2_000;
/** Each request is this much older than the one before. */
const APART_MS = 10_000;

interface OpenRuns {
  count: number;
  crews: readonly string[];
  channels: readonly string[];
  /** The ids of those who start them. */
  people: readonly string[];
}

/** Stores runs whose request has its card and waits, as other processes of the bot would have. */
export async function storeOpenRuns(redisUrl: string, { count, crews, channels, people }: OpenRuns): Promise<void> {
  const redis = connectRedis(redisUrl, { onTrouble: () => {} });
  await pingRedis(redis);
  const store = createExecutionStore(redis, { retentionDays: 30, auditDays: 400, replication: null });
  const outputs = createOutputStore(redis, { retentionDays: 30 });
  const places = Array.from({ length: count }, (_, i) => i);
  try {
    await inParallel(AT_ONCE, places, async (i) => {
      const ref = `open-run-${String(i).padStart(8, '0')}`;
      const output = await outputs.put(ref, prose(OUTPUT_CHARACTERS, i));
      const start = { crew: of(crews, i), channel: of(channels, i), by: { id: of(people, i), name: of(people, i) } };
      const inputs = { topic: prose(60, i), audience: 'engineers' };
      await store.create(ref, (now) => {
        const at = now - (count - i) * APART_MS;
        const begun = startExecution({ ref, ...start, inputs, form: null }, at);
        const running = settleKickoff(begun, { kind: 'accepted', kickoffId: `kickoff-${i}` }, at);
        return quiet(asked(running, { number: i, output, at }), now);
      });
    });
  } finally {
    await closeRedis(redis);
  }
}

function asked(
  running: Execution,
  { number, output, at }: { number: number; output: Question['output']; at: number },
): Execution {
  const task = { taskId: `task-${number}`, taskName: number % 3 === 0 ? 'publish the notes' : 'draft' };
  const names = { kickoffId: `kickoff-${number}`, executionId: `execution-${number}` };
  const result = ask(running, request({ ...names, ...task, output }), at, RULES);
  if (!result.ok) throw new Error(`run ${number} can't ask: ${JSON.stringify(result.refusal)}`);
  return result.value;
}

/** Everything is posted, and shows what it should. */
function quiet(execution: Execution, now: number): Execution {
  const later = now + LATER_MS;
  const settled = changed(execution, {
    poll: { ...execution.poll, nextAt: later },
    starterNotice: { status: 'told' },
    root: posted({ ts: '1700000000.000001', notBefore: now }),
    requests: execution.requests.map((request) => ({ ...request, card: posted({ ts: '1700000000.000002' }) })),
  });
  const shown = changed(settled, {
    root: posted({ ts: '1700000000.000001', shown: rootFingerprint(settled), notBefore: now }),
    requests: settled.requests.map((request) => ({
      ...request,
      card: posted({ ts: '1700000000.000002', shown: cardFingerprint(settled, request) }),
    })),
  });
  const due = dueAt(shown);
  if (due !== null && due < later) throw new Error(`${execution.ref} has something to do`);
  return shown;
}

function of<Item>(items: readonly Item[], i: number): Item {
  const item = items[i % items.length];
  if (item === undefined) throw new Error('there are none');
  return item;
}
