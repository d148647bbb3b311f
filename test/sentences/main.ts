import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { parseOptions, readCommandLine } from '../../src/setup/usage.mjs';
import { sentencesPage } from './sentences-page.ts';

// npm run sentences
readCommandLine('test/sentences/main.ts', (args) => parseOptions(args, {}));
const path = join(CHECKOUT, '.cache/sentences.html');
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, await sentencesPage());
console.log(path);
