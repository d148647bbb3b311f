// The entry of a process that runs the code of crews. The service starts it with its own process id.
import { register } from 'node:module';
import { Worker } from 'node:worker_threads';
import { register as registerTypeScript } from 'tsx/esm/api';
// Loaded here, without the TypeScript loader, its many modules take a fraction of the time.
import 'zod';

const [, , service = '', memoryMb = ''] = process.argv;
// First: what is registered here would be loaded into the thread, too.
new Worker(new URL('./watchdog.mjs', import.meta.url), { workerData: { service, memoryMb } }).unref();
registerTypeScript();
register('./resolve-crew.mjs', import.meta.url);
await import('./serve.ts');
