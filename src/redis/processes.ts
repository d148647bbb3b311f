import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ProcessRegistry } from '../core/ports.ts';
import { answerDeadline, defineScript, insist, NOW, type RedisClient, runScript } from './call.ts';
import { DUE_CHANNEL, ENDED, processKey } from './keys.ts';
import { createLocalState, type LocalState } from './local-state.ts';

/** A process without a heartbeat for this long is gone, unless Redis itself was away. */
const LIVES_MS = 10_000;
const BEAT_EVERY_MS = 2_000;
/** A process that is silent for this many heartbeats may be gone. */
const SILENT_BEATS = 3;
/**
 * Own heartbeats that a process stores before another one without a heartbeat counts as gone. Heartbeats also expire while Redis
 * is away, but live processes have stored new ones by then.
 */
const BEATS_TO_BE_SURE = 2;
/** A stop doesn't wait longer for a Redis that is away; its last heartbeat then expires. */
const CLOSE_MS = 500;

const BEAT = defineScript(
  'beat',
  z.number(),
  `
  -- KEYS: process. ARGV: milliseconds to live, process.
  -- Returns now. The announcement shows the process whether it hears announcements.
  ${NOW}
  redis.call('SET', KEYS[1], '', 'PX', ARGV[1])
  redis.pcall('PUBLISH', '${DUE_CHANNEL}', ARGV[2])
  return now`,
);

/** Registers this process as alive until it is closed. */
export function registerProcess(
  redis: RedisClient,
  log: Logger,
  {
    local = createLocalState(),
    livesMs = LIVES_MS,
    beatEveryMs = BEAT_EVERY_MS,
  }: { local?: LocalState; livesMs?: number; beatEveryMs?: number } = {},
): ProcessRegistry & { close(left?: 'nothing' | 'calls'): Promise<void> } {
  const id = local.processId;
  const ask = <Answer>(question: () => Promise<Answer>) => insist(redis, answerDeadline(), question);
  /** Processes without a heartbeat, with the number of our own beats when we first noticed. */
  const missing = new Map<string, number>();
  const listeners: ((silentMs: number) => void)[] = [];
  let beats = 0;

  const beat = async () => {
    try {
      const [askedAt, args] = [performance.now(), [livesMs, local.processId]];
      local.clock.learn(await runScript(redis, BEAT, { keys: [processKey(id)], args }), askedAt);
      beats += 1;
    } catch (error) {
      log.debug({ err: error }, 'could not store a heartbeat');
    }
  };

  const isGone = async (other: string) => {
    if (other === id || (await ask(() => redis.exists(processKey(other)))) > 0) {
      missing.delete(other);
      return false;
    }
    const since = missing.get(other);
    if (since === undefined) missing.set(other, beats);
    return since !== undefined && beats - since >= BEATS_TO_BE_SURE;
  };

  const reportGone = async () => {
    try {
      for (const { id: other, silentMs } of local.others.silentFor(SILENT_BEATS * beatEveryMs)) {
        // An earlier look may have ended only now.
        if (!(await isGone(other)) || !local.others.forget(other)) continue;
        for (const listener of listeners) listener(silentMs);
      }
    } catch (error) {
      log.debug({ err: error }, 'could not look for processes that are gone');
    }
  };

  let beating = beat();
  const beatNow = () => {
    beating = beat();
  };
  const timer = setInterval(() => {
    beatNow();
    void reportGone();
  }, beatEveryMs).unref();
  local.onOtherBegun = beatNow;

  return {
    id,
    isGone,
    isAlone: () => local.others.areNone(),
    onGone: (listener) => void listeners.push(listener),

    /** Unregisters this process. Never throws. @param left `calls`: some of its calls may still be carried out */
    async close(left = 'nothing') {
      clearInterval(timer);
      local.onOtherBegun = () => {};
      // A beat on its way would bring the heartbeat back.
      await Promise.race([beating, pause(CLOSE_MS, null, { ref: false })]);
      try {
        const until = performance.now() + CLOSE_MS;
        await insist(redis, until, () => redis.del(processKey(id)));
        if (left === 'nothing') await insist(redis, until, () => redis.publish(DUE_CHANNEL, `${id} ${ENDED}`));
      } catch (error) {
        log.debug({ err: error }, 'could not remove the last heartbeat');
      }
    },
  };
}
