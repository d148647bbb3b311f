import type { Millis } from '../core/time.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { createDigestClaims } from '../redis/digest-claims.ts';
import { createDigests } from '../slack/digest/digests.ts';
import { createSendDigest } from '../slack/digest/send-digest.ts';
import type { Parts } from './parts.ts';
import { type Repeated, repeat } from './repeat.ts';

const EVERY_MS = 20_000;

/** Sends people the digests that they have asked for, as long as the process runs. */
export function startDigests(parts: Parts, redis: RedisClient, everyMs: Millis = EVERY_MS): Repeated {
  const { clients, recentOutputs: outputs, log, metrics } = parts;
  const digests = createDigests({
    ...parts,
    claims: createDigestClaims(redis),
    send: createSendDigest({ ...parts, outputs, client: clients.background }),
  });
  const failed = 'could not send the digests that are due; trying again';
  return repeat(() => digests(Date.now()), {
    ...{ everyMs, log, failed },
    onFault: () => metrics.fault('worker'),
  });
}
