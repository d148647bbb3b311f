import { parseOptions, readCommandLine, UsageError } from '../../src/setup/usage.mjs';
import { setup as bundlePrograms } from '../support/bundle-programs.ts';
import { soak, summaryOf } from './soak.ts';

// npm run soak -- --minutes 10 --seed 7
const OPTIONS = { minutes: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } } as const;
const { minutes, seed } = readCommandLine('test/soak/main.ts', (args) => {
  const { values } = parseOptions(args, OPTIONS);
  const asked = { minutes: Number(values.minutes), seed: Number(values.seed) };
  if (!(asked.minutes > 0) || !Number.isInteger(asked.seed))
    throw new UsageError('--minutes must be a number, and --seed a whole one.');
  return asked;
});

await bundlePrograms();
const phases = await soak({ seed, forMs: minutes * 60_000, say: (line) => console.log(line) });
console.log(`all of it, seed ${seed}: ${summaryOf(phases)}`);
process.exit(phases.some(({ report }) => report !== '') ? 1 : 0);
