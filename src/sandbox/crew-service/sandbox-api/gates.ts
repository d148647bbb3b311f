import { EventEmitter, once } from 'node:events';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import { persistently } from '../redis/retry-until-success.ts';
import { type Gates, type Script, type ScriptedTask, script } from './scripted-crew.ts';

/** What tests have said about the runs to come: scripts of crews, and which gates are open. Kept over restarts. */
export interface Stage extends Gates {
  scriptOf(crew: string): Promise<readonly ScriptedTask[] | undefined>;
  /** Throws `ZodError` where the script makes no sense. */
  setScript(crew: string, tasks: Script): Promise<void>;
  open(gate: string): Promise<void>;
  shut(gate: string): Promise<void>;
}

export function createStage(redis: Redis, prefix: string, logger: Logger): Stage {
  const opened = new EventEmitter();
  opened.setMaxListeners(0);
  const gates = `${prefix}open-gates`;
  const scripts = `${prefix}scripts`;

  return {
    async wait(gate, signal) {
      // Listening begins before looking, so that an opening in between is not missed.
      const found = new AbortController();
      const opening = once(opened, gate, { signal: AbortSignal.any([signal, found.signal]) });
      opening.catch(() => {});
      const isOpen = await persistently(() => redis.sismember(gates, gate), signal, logger);
      if (isOpen === 1) found.abort();
      else await opening;
    },
    async open(gate) {
      await redis.sadd(gates, gate);
      opened.emit(gate);
    },
    async shut(gate) {
      await redis.srem(gates, gate);
    },
    async scriptOf(crew) {
      const text = await redis.hget(scripts, crew);
      return text === null ? undefined : script.parse(JSON.parse(text));
    },
    async setScript(crew, tasks) {
      await redis.hset(scripts, crew, JSON.stringify(script.parse(tasks)));
    },
  };
}
