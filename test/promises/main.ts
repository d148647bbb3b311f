import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { parseOptions, readCommandLine } from '../../src/setup/usage.mjs';
import { promisesPage, testFilesIn } from './promises.ts';

// npm run promises
readCommandLine('test/promises/main.ts', (args) => parseOptions(args, {}));
const path = join(CHECKOUT, '.cache/promises.md');
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, promisesPage(testFilesIn(CHECKOUT)));
console.log(path);
