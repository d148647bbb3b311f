import { StoreUnavailable } from '../../core/ports.ts';
import { type Deadline, insist, type RedisClient } from '../connection/call.ts';
import { WRITE_AGAIN } from './scripts.ts';

/** Short, since WAIT blocks everything else on this connection. */
const WAIT_MS = 1_000;

interface Replicated {
  recordKey: string;
  /** The write that the record must have; empty for any. */
  writeId: string;
  minReplicas: number;
  until: Deadline;
}

/**
 * Resolves when `minReplicas` replicas have the last change of a record, which must still be there: a failover may have lost it.
 * https://redis.io/docs/latest/commands/wait/
 * @throws {StoreUnavailable} if fewer have it in time
 */
export async function untilReplicated(
  redis: RedisClient,
  { recordKey, writeId, minReplicas, until }: Replicated,
): Promise<void> {
  if (minReplicas === 0) return;
  const replicas = await insist(redis, until, async () => {
    // WAIT covers only writes on its own connection, and a pipeline stays on one.
    const answers = await redis.pipeline().eval(WRITE_AGAIN, 1, recordKey, writeId).wait(minReplicas, WAIT_MS).exec();
    for (const [error] of answers ?? []) if (error) throw error;
    return answers?.[0]?.[1] === 1 ? answers[1]?.[1] : 0;
  });
  if (typeof replicas === 'number' && replicas >= minReplicas) return;
  throw new StoreUnavailable(`Only ${replicas} of ${minReplicas} replicas have the change.`);
}
