import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { parseOptions, readCommandLine } from '../../src/setup/usage.mjs';
import { sourceFilesIn } from '../support/source-files.ts';
import { promisesPage } from './promises.ts';

// npm run promises
readCommandLine('test/promises/main.ts', (args) => parseOptions(args, {}));
const path = join(CHECKOUT, '.cache/promises.md');
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, promisesPage(sourceFilesIn(CHECKOUT, 'test')));
console.log(path);
