import { parseArgs } from 'node:util';
import { setup as bundlePrograms } from '../support/bundle-programs.ts';
import { soak, summaryOf } from './soak.ts';

// npm run soak -- --minutes 10 --seed 7
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Please give --minutes as a number and --seed as a whole number.');
  process.exit(1);
}

await bundlePrograms();
const phases = await soak({ seed, forMs: minutes * 60_000, say: (line) => console.log(line) });
console.log(`all of it, seed ${seed}: ${summaryOf(phases)}`);
process.exit(phases.some(({ report }) => report !== '') ? 1 : 0);
