const PARENT_CHECK_MS = 250;

/** Read as early as can be: npx may end while this process still starts. */
const PARENT = process.ppid;

/**
 * Calls `stop` once npx, which has started this process, is gone: it ends on a signal without passing it on, and leaves what it has
 * started. https://github.com/npm/cli/issues/6684
 */
export function onEndOfNpx({ npm_command: command }: NodeJS.ProcessEnv, stop: () => unknown): void {
  if (command !== 'exec') return;
  const timer = setInterval(() => {
    if (process.ppid === PARENT) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS).unref();
}
