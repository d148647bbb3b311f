import { type Logger, pino } from 'pino';
import type { Crew } from './coded-crew.ts';
import type { HostSettings } from './crew-process/hosted-crews.ts';
import type { CrewFile } from './crew-process/process-pool.ts';
import type { Dialect, DialectName } from './dialects/dialect.ts';
import { flowsDialect } from './dialects/flows-dialect.ts';
import { observedDialect } from './dialects/observed-dialect.ts';
import { specDialect } from './dialects/spec-dialect.ts';
import type { Tokens } from './http/access.ts';
import type { ModelSettings } from './model/model-server.ts';
import type { ScriptedCrew } from './sandbox-api/scripted-crew.ts';
import type { GivenDashboard } from './webhooks/dashboard.ts';
import type { WebhookRetry } from './webhooks/delivery.ts';

export type CrewServiceOptions = {
  readonly crews: readonly (Crew | ScriptedCrew)[];
  /** Modules that export `crews`, whose code runs in processes of its own. */
  readonly crewFiles?: readonly CrewFile[];
  /** Default: no environment, 256 MB of memory each, 8 runs at once, 30 s to load a file and 10 s to check inputs. */
  readonly crewProcesses?: Partial<Omit<HostSettings, 'logger'>>;
  readonly tokens: Tokens;
  /** Tokens for individual crews, instead of `tokens`. */
  readonly crewTokens?: Readonly<Record<string, Tokens>>;
  /**
   * `redis://…`, `rediss://…`, or a Unix socket as `unix:///path` or `/path`. Default: a redis-server of the service's own, whose
   * data are in `.crew-service/redis`. It ends with the service.
   */
  readonly redisUrl?: string | undefined;
  /** Only one process at a time may use a prefix. Default `crew-service:`. */
  readonly keyPrefix?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default `spec`. */
  readonly dialect?: DialectName;
  /**
   * Default: 12 attempts over about 20 minutes in `spec`, otherwise one; 1 s, doubling up to 5 minutes; 10 s to answer, in
   * `flows` 30 s.
   */
  readonly webhookRetry?: Partial<WebhookRetry>;
  /** Default 1 MiB. */
  readonly bodyLimitBytes?: number;
  /** The time that a request may take to arrive. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** The time for which finished executions are kept. Default 7 days. */
  readonly retentionMs?: number;
  /** `on` if `/_sandbox/` is served to other processes. Default `off`. */
  readonly sandboxApi?: 'on' | 'off';
  /** The webhook that tells of requests for feedback, until a test sets another one. Default: none. */
  readonly dashboard?: GivenDashboard | undefined;
  /** The model that crews may ask. Default: none. */
  readonly model?: ModelSettings | undefined;
  /** Default: silent. */
  readonly logger?: Logger;
};

type Replaced = 'redisUrl' | 'dialect' | 'webhookRetry' | 'crewProcesses';

export type CrewServiceSettings = Required<Omit<CrewServiceOptions, Replaced>> & {
  readonly redisUrl: string;
  readonly dialect: Dialect;
  readonly webhookRetry: WebhookRetry;
  readonly crewProcesses: HostSettings;
};

const DAY_MS = 24 * 60 * 60 * 1000;

export function withDefaults(options: CrewServiceOptions & { readonly redisUrl: string }): CrewServiceSettings {
  const dialect = dialects[options.dialect ?? 'spec'];
  const logger = options.logger ?? pino({ level: 'silent' });
  return {
    crewFiles: [],
    crewTokens: {},
    keyPrefix: 'crew-service:',
    port: 0,
    host: '127.0.0.1',
    bodyLimitBytes: 1_048_576,
    requestTimeoutMs: 30_000,
    retentionMs: 7 * DAY_MS,
    sandboxApi: 'off',
    dashboard: undefined,
    model: undefined,
    ...options,
    ...{ dialect, logger },
    webhookRetry: {
      attempts: dialect.deliveryAttempts,
      firstPauseMs: 1_000,
      longestPauseMs: 300_000,
      timeoutMs: dialect.answerLimitMs,
      ...options.webhookRetry,
    },
    crewProcesses: {
      env: {},
      memoryMb: 256,
      runsAtOnce: 8,
      loadLimitMs: 30_000,
      checkLimitMs: 10_000,
      ...options.crewProcesses,
      logger,
    },
  };
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  spec: specDialect,
  observed: observedDialect,
  flows: flowsDialect,
};
