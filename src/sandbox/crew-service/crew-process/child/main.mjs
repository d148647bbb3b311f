// The entry of a process that runs the code of crews. The service starts it with its own process id.
import { register } from 'node:module';
import { Worker } from 'node:worker_threads';
// Loaded here, before the hooks, its many modules take a fraction of the time.
import 'zod';

const [, , service = '', memoryMb = '', crewEntry = ''] = process.argv;
// First: what is registered here would be loaded into the thread, too.
new Worker(new URL('./watchdog.mjs', import.meta.url), { workerData: { service, memoryMb } }).unref();
register('./typescript.mjs', import.meta.url, { data: { crewEntry } });
await import('./serve.ts');
