import type { z } from 'zod';

/** A Lua script with the shape of its reply. All its keys lie in one slot and are declared in KEYS. */
export interface Script<Reply> {
  /** The name under which a client caches it, unique among all scripts. */
  name: string;
  source: string;
  reply: z.ZodType<Reply>;
}

/** Lua: leaves in `now` the milliseconds since 1970 by Redis' clock. */
export const NOW = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

export function defineScript<Reply>(name: string, reply: z.ZodType<Reply>, source: string): Script<Reply> {
  return { name: `signoff:${name}`, source, reply };
}
