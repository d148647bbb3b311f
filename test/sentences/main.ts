import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { CHECKOUT } from '../../src/setup/commands.mjs';
import { sentencesPage } from './sentences-page.ts';

const USAGE = `Usage: npm run sentences
Writes a page with every sentence that people read in Slack, in each language, and says where it is.`;

// npm run sentences
const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h', default: false } } });
if (values.help) {
  console.log(USAGE);
} else {
  const path = join(CHECKOUT, '.cache/sentences.html');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, await sentencesPage());
  console.log(path);
}
