import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/ports.ts';
import { CLAIM_MS, claimedBy } from '../../src/core/state/claim.ts';
import { duePost } from '../../src/core/state/post.ts';
import { NO_TIMES, type Question } from '../../src/core/state/request.ts';
import type { DueActionHandler } from '../../src/worker/due-action-handler.ts';
import { ExecutionTasks } from '../../src/worker/worker.ts';
import { silent } from '../crew/crew-values.ts';
import { started } from '../redis/store-under-test.ts';
import { type ExecutionChange, execution } from '../support/executions.ts';
import { decided, pending, posted, START } from '../support/requests.ts';

/** The tasks of a lone process, over executions whose first message is due. */
function tasksWith(handler: DueActionHandler, change: ExecutionChange = {}, now = 2): ExecutionTasks {
  return new ExecutionTasks({
    store: { load: async (ref) => ({ execution: started(ref, 1, { run: { status: 'running' }, ...change }), now }) },
    due: { release: async () => {} },
    handler,
    pendingRequests: { yieldToRequests: async () => {} },
    log: silent,
    onFault: () => {},
    onDueIn: () => {},
    onIdle: () => {},
  });
}

it('messages that wait for their turn do not block one whose turn it is', async () => {
  const posted: string[] = [];
  const tasks = tasksWith({
    unmade: () => [],
    hasMade: () => false,
    prepare: async ({ ref }, { kind }) => kind !== 'post' || ref === 'last' || new Promise(() => {}),
    handle: async ({ ref }, { kind }) => {
      if (kind === 'post') posted.push(ref);
      return new Promise(() => {});
    },
  });
  const waiting = Array.from({ length: 100 }, (_, i) => `r${i}`);
  for (const ref of [...waiting, 'last']) void tasks.process(ref, 'held');
  await expect.poll(() => posted).toEqual(['last']);
  expect(tasks.load.waitingForTurn).toBe(waiting.length);
});

it('callbacks to a program that hangs delay nothing that goes to the crew, or to its flows', async () => {
  const begun: (string | undefined)[] = [];
  const to = (destination: Question['destination'], id: string) => decided({ id, destination, sendAt: START });
  const sealedUrl = 'sealed';
  const callbacks = Array.from({ length: 50 }, (_, i) => to({ kind: 'callback', sealedUrl }, `callback ${i}`));
  const requests = [...callbacks, to(null, 'crew'), to({ kind: 'flow', sealedUrl }, 'flow')];
  const tasks = tasksWith(
    {
      unmade: () => [],
      hasMade: () => false,
      prepare: async () => true,
      handle: async (_, action) => {
        if (action.kind === 'resume') begun.push(action.approvalId);
        return new Promise(() => {});
      },
    },
    execution({ requests }),
    START,
  );
  await tasks.process('r1', 'held');
  await expect.poll(() => begun).toEqual(expect.arrayContaining(['crew', 'flow']));
  expect(begun.length).toBeLessThan(requests.length);
});

it('a call that was never made is made after an outage that was longer than its claim, and before cards', async () => {
  const handled: string[] = [];
  const root = posted({ notBefore: CLAIM_MS * 2 });
  const requests = [pending({ card: duePost(1) })];
  const kickoff = { status: 'sending', tries: 1, delayedBy: null, ...claimedBy('this process', 0) } as const;
  const tasks = tasksWith(
    {
      unmade: () => [{ kind: 'kickoff' }],
      hasMade: () => false,
      prepare: async () => true,
      handle: async (_, { kind }) => {
        handled.push(kind);
        return new Promise(() => {});
      },
    },
    { root, requests, kickoff },
    CLAIM_MS + 1,
  );
  await tasks.process('r1', 'held');
  await expect.poll(() => handled).toContain('post');
  expect(handled[0]).toBe('kickoff');
  expect(handled).not.toContain('check-claims');
});

describe.each([
  ['a call to the crew', 'resume', decided({ sendAt: START, card: duePost(START) }), { resume: 1, post: 1 }],
  [
    'a card',
    'post',
    pending({ card: duePost(START), times: { ...NO_TIMES, remindAt: START } }),
    { post: 1, remind: 1 },
  ],
] as const)('%s that fails at once', (_, failing, request, triedOnce) => {
  /** How often each kind of action is tried within some time. */
  async function triesWithin(ms: number, error: Error): Promise<Record<string, number>> {
    const tries: Record<string, number> = {};
    const handle: DueActionHandler['handle'] = async (_ref, { kind }) => {
      tries[kind] = (tries[kind] ?? 0) + 1;
      if (kind === failing) throw error;
      return new Promise(() => {});
    };
    const handler = { unmade: () => [], hasMade: () => false, prepare: async () => true, handle };
    const tasks = tasksWith(handler, execution({ requests: [request] }), START);
    await tasks.process('r1', 'held');
    await pause(ms);
    tasks.close();
    return tries;
  }

  it('waits for its lease after a fault of ours, and holds up nothing else that is due', async () => {
    expect(await triesWithin(600, new Error('a fault'))).toEqual(triedOnce);
  });

  it('is tried again once a second while the store fails', async () => {
    const { [failing]: tries } = await triesWithin(2_500, new StoreUnavailable('it is read-only'));
    expect(tries).toBeGreaterThanOrEqual(2);
    expect(tries).toBeLessThanOrEqual(4);
  });
});

it('a card that waits for its turn keeps what else is due waiting for a fifth of a second, and no longer', async () => {
  const begun: string[] = [];
  const tasks = tasksWith(
    {
      unmade: () => [],
      hasMade: () => false,
      prepare: async (_, { kind }) => {
        begun.push(kind);
        return new Promise(() => {});
      },
      handle: async () => {},
    },
    execution({ requests: [pending({ card: duePost(START), times: { ...NO_TIMES, remindAt: START } })] }),
    START,
  );
  await tasks.process('r1', 'held');
  expect(begun).toEqual(['post']);
  await expect.poll(() => begun).toEqual(['post', 'remind']);
});
