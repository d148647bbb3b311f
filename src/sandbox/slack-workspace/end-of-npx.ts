const PARENT_CHECK_MS = 250;

/**
 * Calls `stop` once npx, which has started this process, is gone: it ends on a signal without passing it on, and leaves what it has
 * started. https://github.com/npm/cli/issues/6684
 */
export function onEndOfNpx({ npm_command: command }: NodeJS.ProcessEnv, stop: () => void): void {
  if (command !== 'exec') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS).unref();
}
