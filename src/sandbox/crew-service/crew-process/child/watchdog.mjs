// A thread of its own, because an endless loop in the code of a crew stops all else.
import { workerData } from 'node:worker_threads';

const LOOK_MS = 500;
const service = Number(workerData.service);
// The heap has a limit of its own (--max-old-space-size), but what lies outside it, such as buffers, has none.
const mostBytes = (Number(workerData.memoryMb) * 2 + 128) * 1024 * 1024;

setInterval(() => {
  if (process.ppid !== service || process.memoryUsage.rss() > mostBytes) endAll();
}, LOOK_MS);

/** Ends this process and those that it has started: it leads their group. */
function endAll() {
  process.kill(-process.pid, 'SIGKILL');
}
