import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import type { CrewSandbox } from '../../src/sandbox/crew-service/sandbox-api/crew-sandbox.ts';
import { headerOf } from '../crew/crew-values.ts';
import { eventually, type HumanRequest, type LoadWorld, startLoadWorld } from './load-world.ts';

/** The outcome of many clicks within one second, beside many open approvals. */
export interface ClickBurst {
  executions: number;
  /** The open approvals before the burst, from /metrics. */
  openApprovals: number;
  clicks: number;
  acknowledged: number;
  slowestAckMs: number;
  medianAckMs: number;
  /** How many acknowledged decisions the crew got; never got; got more than once. */
  delivered: number;
  lost: number;
  doubled: number;
  /** The longest queue of the worker during the burst, from /metrics. */
  mostWaiting: number;
  rssMb: number;
}

export async function clickBurst({
  executions,
  approvalsEach,
  clicks,
  resumes = 'free',
}: {
  executions: number;
  approvalsEach: number;
  clicks: number;
  /** Held: the crew answers no resume before all clicks are acknowledged. */
  resumes?: 'held' | 'free';
}): Promise<ClickBurst> {
  const load = await startLoadWorld();
  try {
    await load.start(executions);
    const cards = await load.cards(executions, 300_000);
    await askMore(load, approvalsEach - 1);
    await load.cards(executions * approvalsEach, 900_000);
    await comesToRest(load);
    const openApprovals = await load.metric(0, 'signoff_open_approvals');
    const { sandbox } = load.world.crews;
    if (resumes === 'held') await holdResumes(sandbox, clicks);
    const { answers, mostWaiting } = await clickAll(load, cards.slice(0, clicks));
    await sandbox.openGate(ACKNOWLEDGED);
    const acknowledged = answers.filter(({ status }) => status === 200).length;
    const resumed = await resumesOf(load, acknowledged);
    const times = answers.map(({ tookMs }) => Math.round(tookMs)).sort((a, b) => a - b);
    const delivered = new Set(resumed).size;
    return {
      ...{ executions, openApprovals, clicks, acknowledged },
      slowestAckMs: times.at(-1) ?? 0,
      medianAckMs: times[Math.floor(times.length / 2)] ?? 0,
      ...{ delivered, lost: acknowledged - delivered, doubled: resumed.length - delivered, mostWaiting },
      rssMb: Math.round((await load.metric(0, 'process_resident_memory_bytes')) / 1_048_576),
    };
  } finally {
    await load.stop();
  }
}

/** Waits until nothing is left to post or update. */
async function comesToRest(load: LoadWorld): Promise<void> {
  await eventually('the bot to come to rest', 300_000, async () => {
    const now = await load.metric(0, 'signoff_worker_waiting');
    return { done: now === 0, now };
  });
}

const ACKNOWLEDGED = 'all clicks are acknowledged';

async function holdResumes(sandbox: CrewSandbox, times: number): Promise<void> {
  await sandbox.shutGate(ACKNOWLEDGED);
  await sandbox.addFault({ route: 'resume', times, gate: ACKNOWLEDGED });
}

/** One click after the other, spread over one second. */
async function clickAll(load: LoadWorld, cards: HumanRequest[]) {
  let mostWaiting = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      mostWaiting = Math.max(mostWaiting, await load.metric(0, 'signoff_worker_waiting'));
      // Reading the metrics is work, too.
      await pause(500);
    }
  })();
  const answers = await Promise.all(
    cards.map(async (card, i) => {
      await pause((i * 1_000) / cards.length);
      return load.approve(card);
    }),
  );
  isOver = true;
  await watching;
  return { answers, mostWaiting };
}

async function resumesOf(load: LoadWorld, wanted: number): Promise<string[]> {
  let resumed: string[] = [];
  await eventually(`${wanted} resumes`, 120_000, async () => {
    resumed = await load.resumed();
    return { done: resumed.length >= wanted, now: resumed.length };
  });
  return resumed;
}

const KICKOFF = z.object({
  humanInputWebhook: z.object({
    url: z.string(),
    authentication: z.object({ strategy: z.literal('bearer'), token: z.string() }),
  }),
});

/** More requests for each execution, of parallel tasks. */
async function askMore(load: LoadWorld, each: number): Promise<void> {
  const agent = new Agent({ connections: 20 });
  const kickoffs = (await load.world.crews.sandbox.requests()).filter(({ route }) => route === 'kickoff');
  for (const { body } of kickoffs) {
    const { url, authentication } = KICKOFF.parse(JSON.parse(body)).humanInputWebhook;
    const headers = { authorization: headerOf(authentication), 'content-type': 'application/json' };
    const asked = Array.from({ length: each }, async (_, i) => {
      const alert = { task_id: `side-${i}`, task_output: `Another draft, number ${i}.` };
      const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(alert), dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`a request was answered with ${answer.statusCode}`);
    });
    await Promise.all(asked);
  }
  await agent.close();
}
