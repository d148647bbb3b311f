import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

// A repository's own configuration can name programs to run (https://git-scm.com/docs/git-config) and servers to ask:
// none of them is needed to read history.
const HARMLESS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'log.showSignature=false',
  'protocol.allow=never',
];
const SETTINGS = [...HARMLESS, 'core.quotePath=false'].flatMap((setting) => ['-c', setting]);

/** What git prints. Rejects with its `stderr` where it fails. */
export async function git(folder: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const options = { cwd: folder, signal, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await execute('git', ['--no-pager', '--no-optional-locks', ...SETTINGS, ...args], options);
  return stdout;
}
