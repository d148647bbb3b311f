// The entry of a process that runs the code of crews. The service starts it with its own process id.
import { register } from 'node:module';
// Loaded here, before the hooks, its many modules take a fraction of the time.
import 'zod';

const [, , service = '', memoryMb = '', crewEntry = ''] = process.argv;
register('./watchdog.mjs', import.meta.url, { data: { service: Number(service), memoryMb: Number(memoryMb) } });
register('./typescript.mjs', import.meta.url, { data: { crewEntry } });
await import('./serve.ts');
