import { createHash } from 'node:crypto';
import type { z } from 'zod';

/** A Lua script with the shape of its reply. All its keys lie in one slot and are declared in KEYS. */
export interface Script<Reply> {
  source: string;
  /** What `EVALSHA` knows it by. */
  sha: string;
  reply: z.ZodType<Reply>;
}

export function defineScript<Reply>(reply: z.ZodType<Reply>, source: string): Script<Reply> {
  return { source, sha: createHash('sha1').update(source).digest('hex'), reply };
}
