import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { createHttpServer } from '../http/server.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { closeRedis, pingRedis } from '../redis/connection/connect.ts';
import { countStored } from '../redis/counts.ts';
import type { Rates } from '../slack/api/rate-limits.ts';
import { slackAdapterOf, webhooksOf } from './adapters.ts';
import { gatherParts } from './parts.ts';
import { reportUnreachableCrews } from './report-unreachable-crews.ts';
import { openPort, reachRedis, reachSlack } from './start-up-checks.ts';
import { createWorker } from './worker.ts';

export interface Bot {
  port: number;
  /**
   * Takes up nothing new, finishes what is in hand, and resolves within about nine seconds. The doors stay open until the
   * end: what still arrives is stored, and what it owes is done by other processes or after the next start.
   */
  stop(): Promise<void>;
}

/** What a workspace may allow that isn't Slack's own. */
export interface BotOptions {
  rates?: Rates;
}

/** What takes longer is claimed in its record, and what came of it is found out after the next start. */
const STOP_MS = { work: 6_500, requests: 1_500 };

/** Puts the parts together and opens the doors. @throws {CannotStart} */
export async function startBot(config: Config, log: Logger, { rates }: BotOptions = {}): Promise<Bot> {
  const redis = await reachRedis(config.redis.url, log);
  const metrics = createMetrics({
    counts: (agesMs) => countStored(redis, agesMs),
    workerLoad: () => worker.load(),
  });
  const parts = await gatherParts(config, redis, { metrics, log });
  const worker = createWorker(parts, rates);
  const wake = (ref: string) => worker.wake(ref);
  const slack = slackAdapterOf(parts, wake);

  let isStopping = false;
  const http = createHttpServer({
    webhooks: webhooksOf(parts, wake),
    ...(slack.handle && { slack: slack.handle }),
    readiness: async () => ({
      serving: !isStopping,
      redis: await pingRedis(redis).then(
        () => true,
        () => false,
      ),
      worker: worker.isAlive(),
      slack: slack.isConnected(),
    }),
    metrics: metrics.text,
    log,
    onFault: () => metrics.fault('http'),
  });

  const port = await openPort(http, config.port);
  await reachSlack(() => slack.start());
  worker.start();
  void reportUnreachableCrews(config.crews, parts.crewClient, log);
  log.info({ port, mode: config.slack.mode.kind, crews: [...parts.crews.keys()] }, 'Signoff is ready');

  return {
    port,
    async stop() {
      isStopping = true;
      await worker.stop(STOP_MS.work);
      await Promise.all([http.close(STOP_MS.requests), slack.stop()]);
      await parts.crewClient.close();
      await closeRedis(redis);
    },
  };
}
