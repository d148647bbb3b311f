import { closeRedis } from '../../src/redis/connection.ts';
import { doEverything, openStores } from './do-everything.ts';

// A process of its own, since Node.js reads which authorities to trust only when it starts.
const [, , url = ''] = process.argv;
const stores = openStores(url);
await doEverything(stores);
await closeRedis(stores.redis);
console.info('Everything works.');
