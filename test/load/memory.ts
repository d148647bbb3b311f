import { eventually, type LoadWorld, startLoadWorld } from './load-world.ts';

/** What ended executions leave in a bot's memory. */
export interface Memory {
  executions: number;
  /** After each round, in MiB. */
  rssMb: number[];
  heapMb: number[];
  /** Growth of the smallest heap from the first half of the rounds to the second, per execution, in KiB. */
  leftKbEach: number;
}

const MB = 1_048_576;

/** @param mostHeapMb the bot crashes if it needs more */
export async function memory({
  rounds,
  executionsEach,
  mostHeapMb,
}: {
  rounds: number;
  executionsEach: number;
  mostHeapMb: number;
}): Promise<Memory> {
  const load = await startLoadWorld({ env: { NODE_OPTIONS: `--max-old-space-size=${mostHeapMb}` } });
  const rssMb: number[] = [];
  const heapMb: number[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      await load.start(executionsEach);
      const cards = await load.cards(executionsEach, 120_000);
      for (const card of cards) await load.approve(card);
      await load.completed(round * executionsEach, 120_000);
      await collectGarbage(load, round);
      rssMb.push((await load.metric(0, 'process_resident_memory_bytes')) / MB);
      heapMb.push((await load.metric(0, 'nodejs_heap_size_used_bytes')) / MB);
    }
  } finally {
    await load.stop();
  }
  const half = Math.ceil(rounds / 2);
  const grownMb = Math.min(...heapMb.slice(half)) - Math.min(...heapMb.slice(0, half));
  return {
    executions: rounds * executionsEach,
    rssMb: rssMb.map(Math.round),
    heapMb: heapMb.map(Math.round),
    leftKbEach: Math.round((grownMb * 1_024) / (half * executionsEach)),
  };
}

async function collectGarbage({ bots: [bot] }: LoadWorld, times: number): Promise<void> {
  bot?.process.signal('SIGUSR2');
  await eventually('the garbage to be collected', 10_000, async () => {
    const now = bot?.process.printed().match(/"collected"/g)?.length ?? 0;
    return { done: now >= times, now };
  });
}
