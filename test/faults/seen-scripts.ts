import { createHash } from 'node:crypto';

const WRITES = /redis\.call\('(?:H?SET|Z?ADD|SADD|LPUSH|ZREM|DEL|PEXPIRE|PERSIST|RPUSH|LPOP)'/;
/** The heartbeats of a process, and what seals the ledger once a minute. */
const PERIODIC = ['process', 'turn', 'tree', 'unsealed'];
const CHANGING_COMMANDS = ['set', 'hset', 'del'];

/** Remembers the sources of scripts, to tell changes from reads. */
export class SeenScripts {
  readonly #sources = new Map<string, string>();

  /** What a command changes, by the first key that its script names; null for a read, a look at the due queue, or what every process does all the time. */
  changeOf([first = Buffer.of(), second = Buffer.of()]: Buffer[]): string | null {
    const name = first.toString().toLowerCase();
    // A bot writes this when it is asked whether it is ready, as it is by whatever waits until all is quiet.
    if (second.toString().endsWith(':writable')) return null;
    if (CHANGING_COMMANDS.includes(name)) return name;
    const source = this.#sourceOf(name, second.toString());
    if (source === undefined || !WRITES.test(source)) return null;
    const key = /-- KEYS: (\w+)/.exec(source)?.[1] ?? 'script';
    return isClaim(source) || PERIODIC.includes(key) ? null : key;
  }

  /** Whether a command looks at the due queue. */
  isLook([first = Buffer.of(), second = Buffer.of()]: Buffer[]): boolean {
    const source = this.#sourceOf(first.toString().toLowerCase(), second.toString());
    return source !== undefined && isClaim(source);
  }

  #sourceOf(name: string, script: string): string | undefined {
    if (name === 'evalsha') return this.#sources.get(script);
    if (name !== 'eval') return undefined;
    this.#sources.set(createHash('sha1').update(script).digest('hex'), script);
    return script;
  }
}

function isClaim(source: string): boolean {
  return source.includes('ZRANGEBYSCORE');
}
