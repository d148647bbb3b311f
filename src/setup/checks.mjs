import { join } from 'node:path';
import { CHECKOUT, runLoudly, SetupError } from './commands.mjs';

const CHECKS = [
  { name: 'types', program: 'typescript/bin/tsc', args: [] },
  // The page runs in a browser and needs its types.
  { name: 'types of the page', program: 'typescript/bin/tsc', args: ['-p', 'src/sandbox/slack-workspace/page'] },
  { name: 'style', program: '@biomejs/biome/bin/biome', args: ['check', '--error-on-warnings'] },
];

/**
 * Checks types and style of the whole checkout.
 * @throws {SetupError} naming each check that failed
 */
export async function check() {
  const failed = [];
  for (const { name, program, args } of CHECKS) {
    const path = join(CHECKOUT, 'node_modules', program);
    if ((await runLoudly(process.execPath, [path, ...args])) !== 0) failed.push(name);
  }
  if (failed.length > 0) throw new SetupError(`Checks failed: ${failed.join(', ')}. See the errors above.`);
}
