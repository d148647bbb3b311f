// The bot as a whole: `main.ts` starts it. It builds the parts, opens Redis, Slack and the HTTP port in this order, and stops them in
// reverse within seven seconds.

import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type Crew, isDeployed } from '../core/policy/crew.ts';
import type { CrewInputs } from '../core/ports.ts';
import type { Millis } from '../core/values/time.ts';
import { createHttpServer } from '../http/server.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createCheckWritable } from '../redis/check-writable.ts';
import { closeRedis } from '../redis/connection.ts';
import { countStored } from '../redis/counts.ts';
import { Outages } from '../redis/outages.ts';
import type { Rates } from '../slack/api/rate-limiter.ts';
import type { SlackReceiver } from '../slack/app/app.ts';
import { createAbsences } from '../slack/features/settings/absences.ts';
import { HttpReceiver } from '../slack/receivers/http-receiver.ts';
import { followRulesInForce } from './follow-rules.ts';
import { watchLostWrites } from './lost-writes.ts';
import { createParts } from './parts.ts';
import { retryAllRefused } from './retry-refused.ts';
import { askRoutesOf, stepUpPagesOf, webhooksOf } from './routes.ts';
import { startFollowingAbsences, startTrimmingHistory } from './schedule.ts';
import { createHome, slackAppOf, slackReceiverOf } from './slack.ts';
import { createCallSlack, openPort, openRedis } from './start-up.ts';
import { createWorker } from './worker.ts';

export interface Bot {
  port: number;
  /**
   * Finishes the work in progress and resolves within about seven seconds. The servers accept until the end: what still arrives is
   * stored, and handled by other processes or after the next start.
   */
  stop(): Promise<void>;
}

interface BotOptions {
  version: string;
  /** Decides which outages of Redis the log mentions. */
  outages?: Outages;
  /** Rate limits of a workspace that differ from Slack's. */
  rates?: Rates;
  /** Receiver in place of our own, such as one of Bolt's. */
  receiver?: SlackReceiver;
  /** Time to answer a workspace that waits longer than Slack. */
  ackLimitMs?: number;
  /** The start waits this long until a trouble of Slack has passed. */
  slackPatienceMs?: number;
  /** Interval for sealing the ledger and sending it to AUDIT_SINK. Default: a minute. */
  sealEveryMs?: number;
  /** Interval for following absences. Default: ten seconds. */
  lookEveryMs?: number;
  /** Interval for looking whether enough people can decide a request. Default: ten minutes. */
  lookForDecidersMs?: number;
}

/**
 * Time limits of a stop. Work that takes longer is abandoned: its claim lies in the record, so the next start settles it. With a busy
 * machine's delays, all must fit into the ten seconds after which operators' tools kill.
 */
const STOP_MS = { work: 4_000, requests: 1_500, connections: 500, all: 6_500 };

/** Metrics and Home wait this long after a change, so that people's own work goes first. */
const WATCH_AFTER_MS = 200;

/** @throws {CannotStart} */
export async function startBot(config: Config, log: Logger, options: BotOptions): Promise<Bot> {
  const { version, outages = new Outages() } = options;
  const { redis, isUp: redisIsUp } = openRedis(config.redis.url, { log, outages });
  const metrics = createMetrics({
    version,
    crews: config.crews.map(({ name }) => name),
    openRequests: async () => (await parts.overview.openRequests()).map(({ run }) => run),
    counts: (agesMs) => countStored(redis, agesMs),
    workerLoad: () => worker.load,
    tokenWorks: () => parts.tokenWatch.trouble() === null,
    sinkLag: async () => (await parts.ledger.sink?.lag()) ?? null,
  });
  const callSlack = createCallSlack(log, options.slackPatienceMs);
  const parts = await createParts(config, { redis, redisIsUp, callSlack, rates: options.rates, metrics, log });
  const worker = createWorker(parts, options.lookForDecidersMs);
  const home = createHome(parts);
  parts.storedChanges.subscribe(worker);
  for (const watcher of [metrics, home]) parts.storedChanges.subscribe(watcher, { afterMs: WATCH_AFTER_MS });
  const lostWrites = watchLostWrites(redis, parts);
  const absences = createAbsences(parts);
  const receiver = options.receiver ?? slackReceiverOf(parts, options.ackLimitMs);
  const slackApp = slackAppOf(parts, receiver, { home, absences });

  const stepUp = await stepUpPagesOf(parts);
  const checkRedis = createCheckWritable(redis, config.redis);
  const stopping = new AbortController();
  outages.watch({ check: checkRedis, log, signal: stopping.signal });
  const http = createHttpServer({
    webhooks: webhooksOf(parts),
    asks: askRoutesOf(parts, { version, stopping: stopping.signal }),
    ...(stepUp && { stepUp }),
    ...(receiver instanceof HttpReceiver && { slack: receiver }),
    readiness: async () => {
      const redisTrouble = await checkRedis();
      const tokenTrouble = parts.tokenWatch.trouble();
      const slackTrouble = tokenTrouble ?? receiver.trouble();
      const reasons = {
        ...(redisTrouble !== null && { redis: redisTrouble }),
        ...(slackTrouble !== null && { slack: slackTrouble }),
      };
      return {
        version,
        parts: {
          serving: !stopping.signal.aborted,
          redis: redisTrouble === null,
          worker: worker.isAlive(),
          slack: receiver.isConnected() && tokenTrouble === null,
        },
        ...(Object.keys(reasons).length > 0 && { reasons }),
      };
    },
    metrics: metrics.text,
    log,
    onFault: (error) => metrics.fault('http', error),
  });

  await parts.ledger.begin();
  const port = await openPort(http, config.port);
  await callSlack('SLACK_APP_TOKEN', () => slackApp.start());
  worker.start();
  // People can click from now on. What follows asks a lot of Redis at once.
  log.info({ version, port, mode: config.slack.mode.kind, crews: [...parts.crews.keys()] }, 'Signoff is ready');
  log.flush();
  const retryAll = () => retryAllRefused(parts, stopping.signal);
  parts.tokenWatch.onWorking(() => void retryAll());
  // The operator may have fixed something and restarted the bot for it.
  void retryAll();
  const rulesFollowed = followRulesInForce(parts, stopping.signal);
  const sealer = parts.ledger.startSealing(parts, options.sealEveryMs);
  const sink = parts.ledger.sink?.startSending(parts, options.sealEveryMs);
  const following = startFollowingAbsences(parts, absences, options.lookEveryMs);
  const trimming = startTrimmingHistory(redis, { auditDays: config.audit.days, log });
  void reportUnreachableCrews(config.crews, parts.crewClient, log);

  return {
    port,
    stop() {
      stopping.abort();
      home.stop();
      parts.tokenWatch.stop();
      const loops = [sealer, ...(sink ? [sink] : []), trimming, following, lostWrites].map((loop) => loop.stop());
      return stopInTime([
        { byMs: STOP_MS.work, end: () => [...loops, rulesFollowed, worker.stop(STOP_MS.work)] },
        { byMs: STOP_MS.work + STOP_MS.requests, end: () => [http.close(STOP_MS.requests)] },
        { byMs: STOP_MS.all - STOP_MS.connections, end: () => [slackApp.stop(), parts.store.storeAll()] },
        {
          byMs: STOP_MS.all,
          end: () => {
            parts.storedChanges.deliver();
            return [
              parts.crewClient.close(),
              parts.askers.close(),
              parts.processes.close(worker.load.executions === 0 ? 'nothing' : 'calls'),
            ];
          },
        },
        {
          byMs: STOP_MS.all,
          end: (withinMs) => {
            parts.due.close();
            return [closeRedis(redis, withinMs)];
          },
        },
      ]);
    },
  };
}

interface Step {
  /** Time from the begin of the first step after which the next one begins anyway. */
  byMs: Millis;
  /** Ends several things at once. */
  end: (withinMs: Millis) => Promise<unknown>[];
}

/** Takes steps one after the other. A step that hangs or fails is left behind, so that the last one ends in time. */
export async function stopInTime(steps: readonly Step[]): Promise<void> {
  const beganAt = performance.now();
  for (const { byMs, end } of steps) {
    const leftMs = () => Math.max(0, beganAt + byMs - performance.now());
    const late = new AbortController();
    const ended = Promise.allSettled(end(leftMs()));
    await Promise.race([ended, pause(leftMs(), null, { signal: late.signal }).catch(() => {})]);
    late.abort();
  }
}

/** Warns about crews that don't answer. They may come up later, and the other crews work. */
async function reportUnreachableCrews(crews: Crew[], client: CrewInputs, log: Logger): Promise<void> {
  const busy = 'a crew is starting or has too much to do: its inputs are read later';
  const advice = "couldn't get the inputs of a crew: please check its address and token";
  for (const { name: crew } of crews.filter(isDeployed)) {
    const { kind: answer } = await client.inputs(crew);
    if (answer !== 'inputs') log.warn({ crew, answer }, answer === 'busy' ? busy : advice);
  }
}
