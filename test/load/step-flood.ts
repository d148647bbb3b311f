import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Agent, request } from 'undici';
import { startLoadWorld } from './load-world.ts';

/** The cost of many agent steps of one execution. */
export interface StepFlood {
  steps: number;
  seconds: number;
  accepted: number;
  /** Writes of the execution's record meanwhile. */
  recordWrites: number;
  /** Updates of the thread's messages meanwhile. */
  updates: number;
  keptSteps: number;
}

/** @param perMinute spread evenly */
export async function stepFlood({ steps, perMinute }: { steps: number; perMinute: number }): Promise<StepFlood> {
  const load = await startLoadWorld({ tasks: [{ name: 'think', hold: 'the end', output: 'x' }] });
  const redis = new Redis(load.world.redis.port);
  const agent = new Agent({ connections: 20 });
  try {
    await load.start(1);
    const url = await stepUrl(load.world.crews.sandbox);
    const updates = () => load.metric(0, 'signoff_slack_calls_total', 'method="chat.update"');
    const before = { writes: await hashWrites(redis), updates: await updates() };
    const began = performance.now();
    const answers: Promise<number>[] = [];
    for (let i = 0; i < steps; i++) {
      const wait = began + (i * 60_000) / perMinute - performance.now();
      if (wait > 1) await pause(wait);
      answers.push(tell(agent, url, i));
    }
    const statuses = await Promise.all(answers);
    const [activity = ''] = await redis.keys('*activity*');
    return {
      steps,
      seconds: Math.round((performance.now() - began) / 1_000),
      accepted: statuses.filter((status) => status === 200).length,
      recordWrites: (await hashWrites(redis)) - before.writes,
      updates: (await updates()) - before.updates,
      keptSteps: await redis.llen(activity),
    };
  } finally {
    redis.disconnect();
    await agent.close();
    await load.world.crews.sandbox.openGate('the end');
    await load.stop();
  }
}

async function tell(dispatcher: Agent, url: string, number: number): Promise<number> {
  const body = JSON.stringify({
    thought: `Step ${number}`,
    tool: 'search',
    tool_input: 'tea',
    result: 'x'.repeat(500),
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  await answer.body.dump();
  return answer.statusCode;
}

/** Only records and outputs are hashes, and there are no outputs here. The crew's few own records count, too. */
async function hashWrites(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_hset:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

async function stepUrl(sandbox: { requests(): Promise<readonly { route: string; body: string }[]> }): Promise<string> {
  for (;;) {
    const kickoff = (await sandbox.requests()).find(({ route }) => route === 'kickoff');
    if (kickoff) return String(JSON.parse(kickoff.body).stepWebhookUrl);
    await pause(50);
  }
}
