import { cpus } from 'node:os';
import { ensureRedisServer } from '../../src/setup/redis-server.mjs';
import { clickBurst } from '../load/click-burst.ts';
import { memory } from '../load/memory.ts';
import { oneChannel } from '../load/one-channel.ts';
import { sharing } from '../load/sharing.ts';
import { stepFlood } from '../load/step-flood.ts';
import { setup as bundlePrograms } from '../support/bundle-programs.ts';

/** Everything that `npm run bench` measures; each name may be given as an argument to measure only that. */
const BENCHES: Record<string, { what: string; run: () => Promise<object> }> = {
  clicks: {
    what: '1,000 executions in flight with 10,000 pending approvals, and 500 clicks within a second',
    run: () => clickBurst({ executions: 1_000, approvalsEach: 10, clicks: 500 }),
  },
  steps: {
    what: '5,000 agent steps of one execution within a minute',
    run: () => stepFlood({ steps: 5_000, perMinute: 5_000 }),
  },
  memory: {
    what: '1,000 executions from start to end, ten times 100, in a heap of at most 96 MiB',
    run: () => memory({ rounds: 10, executionsEach: 100, mostHeapMb: 96 }),
  },
  two: { what: 'two bots behind a balancer', run: () => sharing({ bots: 2, executions: 300 }) },
  four: { what: 'four bots behind a balancer', run: () => sharing({ bots: 4, executions: 300 }) },
  entry: {
    what: 'four bots, one of which receives all requests of Slack',
    run: () => sharing({ bots: 4, executions: 300, entryBots: 1 }),
  },
  channel: {
    what: '200 executions in one channel under the real rates of Slack (ten minutes: it takes one message a second)',
    run: () => oneChannel({ executions: 200 }),
  },
};

await ensureRedisServer();
await bundlePrograms();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`There is no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}.`);
console.log(`Node ${process.version}, ${cpus().length} cores, shared by the bots and everything that they talk to.`);
for (const [name, { what, run }] of Object.entries(BENCHES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const began = performance.now();
  console.log(`\n${name}: ${what}`);
  for (const [figure, value] of Object.entries(await run()))
    console.log(`  ${figure.padEnd(16)} ${[value].flat().join(' ')}`);
  console.log(`  (measured in ${Math.round((performance.now() - began) / 1_000)} s)`);
}
