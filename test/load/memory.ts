import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, type LoadWorld, startLoadWorld } from './load-world.ts';

/** What ended executions leave in a bot's memory. */
export interface Memory {
  executions: number;
  /** After each round, in MiB. */
  rssMb: number[];
  heapMb: number[];
  /** Ended executions whose ref is still somewhere in the heap, after each round. */
  refsLeft: number[];
}

const MB = 1_048_576;

/** A process knows the shards of this many executions by heart. */
const KNOWN_SHARDS = 8;
/** What follows on an end is over after some of these, and connections have forgotten their last request. A leak stays. */
const PAUSE_MS = 5_000;
const MOST_PAUSES = 4;

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
  const folder = mkdtempSync(join(tmpdir(), 'signoff-heap-'));
  const options = [`--max-old-space-size=${mostHeapMb}`, '--heapsnapshot-signal=SIGUSR2', `--diagnostic-dir=${folder}`];
  const load = await startLoadWorld({ env: { NODE_OPTIONS: options.join(' ') } });
  const measured: Memory = { executions: rounds * executionsEach, rssMb: [], heapMb: [], refsLeft: [] };
  try {
    for (let round = 1; round <= rounds; round++) {
      await load.start(executionsEach);
      const cards = await load.cards(executionsEach, 120_000);
      for (const card of cards) await load.approve(card);
      await load.completed(round * executionsEach, 120_000);
      await eventually('a worker that has nothing left to do', 60_000, async () => {
        const now = await load.metric(0, 'signoff_worker_executions');
        return { done: now === 0, now };
      });
      // A snapshot begins with a collection of the garbage: what is measured after it is what is held.
      const snapshot = await heapSnapshot(load, folder);
      measured.rssMb.push(Math.round((await load.metric(0, 'process_resident_memory_bytes')) / MB));
      measured.heapMb.push(Math.round((await load.metric(0, 'nodejs_heap_size_used_bytes')) / MB));
      const refs = await load.refs();
      if (refs.length !== round * executionsEach) throw new Error(`${refs.length} kickoffs in round ${round}`);
      const countLeft = (snapshot: Buffer) => refs.filter((ref) => snapshot.includes(ref)).length;
      let left = countLeft(snapshot);
      for (let pauses = 0; left > KNOWN_SHARDS && pauses < MOST_PAUSES; pauses++) {
        await pause(PAUSE_MS);
        left = countLeft(await heapSnapshot(load, folder));
      }
      measured.refsLeft.push(left);
    }
  } finally {
    await load.stop();
    rmSync(folder, { recursive: true });
  }
  return measured;
}

/** Everything that the first bot holds in its heap, strings included, as JSON. */
async function heapSnapshot({ bots: [bot] }: LoadWorld, folder: string): Promise<Buffer> {
  bot?.process.signal('SIGUSR2');
  let snapshot = Buffer.alloc(0);
  await eventually('a heap snapshot', 30_000, async () => {
    for (const file of readdirSync(folder)) snapshot = readFileSync(join(folder, file));
    // The end of its JSON, since the bot may still be writing.
    return { done: snapshot.subarray(-4).toString().trimEnd().endsWith(']}'), now: snapshot.length };
  });
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  return snapshot;
}
