// Ends this process when its service has ended, and when it uses too much memory. It lives in the thread of the module hooks,
// because an endless loop in the code of a crew stops all else, and another thread would cost each run 60 ms.

const LOOK_MS = 500;

/** @param {{ service: number, memoryMb: number }} data */
export function initialize({ service, memoryMb }) {
  // The heap has a limit of its own (--max-old-space-size), but what lies outside it, such as buffers, has none.
  const mostBytes = (memoryMb * 2 + 128) * 1024 * 1024;
  setInterval(() => {
    if (process.ppid !== service || process.memoryUsage.rss() > mostBytes) endAll();
  }, LOOK_MS);
}

/** Ends this process and those that it has started: it leads their group. */
function endAll() {
  process.kill(-process.pid, 'SIGKILL');
}
