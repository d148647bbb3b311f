import type { Redis } from 'ioredis';
import { type Script, type ScriptedTask, script } from './scripted-crew.ts';

/** The scripts that tests have set for scripted crews, kept in Redis. */
export interface Scripts {
  get(crew: string): Promise<readonly ScriptedTask[] | undefined>;
  /** Rejects with `ZodError` if the script is invalid. */
  set(crew: string, tasks: Script): Promise<void>;
}

export function createScripts(redis: Redis, prefix: string): Scripts {
  const key = `${prefix}scripts`;
  return {
    async get(crew) {
      const text = await redis.hget(key, crew);
      return text === null ? undefined : script.parse(JSON.parse(text));
    },
    async set(crew, tasks) {
      await redis.hset(key, crew, JSON.stringify(script.parse(tasks)));
    },
  };
}
