import { afterAll, afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import type { ExecutionStore, StoredChange } from '../../src/core/ports.ts';
import type { Execution } from '../../src/core/state/execution.ts';
import { createAddressSeal } from '../../src/crew/asks/askers.ts';
import { createCredentials, createRefs } from '../../src/crew/credentials.ts';
import type { WebhookContext, WebhookReport } from '../../src/crew/webhooks/context.ts';
import { createWebhooks } from '../../src/crew/webhooks/routes.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';
import { createActivityLog } from '../../src/redis/activity.ts';
import { createHourlyCounts } from '../../src/redis/counts.ts';
import { createExecutionStore } from '../../src/redis/executions.ts';
import { createOutputStore } from '../../src/redis/outputs.ts';
import { PendingRequests } from '../../src/worker/pending-requests.ts';
import { redisForTests, started } from '../redis/store-under-test.ts';
import { RULES } from '../support/requests.ts';
import { crew, readableLog, SECRET } from './crew-values.ts';

export const CREW = 'research';

const SAID = z.object({ status: z.string() });

export interface WebhookBot {
  origin: string;
  context: WebhookContext;
  /** What webhooks have changed, in order. */
  changed: string[];
  reports: WebhookReport[];
  /** The crews whose requests were counted as refused. */
  refused: string[];
  logged: () => string;
  /** A running execution of ours. */
  execution(ref: string, override?: Partial<Execution>): Promise<void>;
  load(ref: string): Promise<Execution>;
  /** Posts as a crew service does, and answers the status and what the body says. */
  post(path: string, body: unknown, authorization?: string): Promise<[number, string]>;
}

/** The webhooks behind the real server, on a real Redis that is empty before each test. */
export function webhookBotForTests(): (override?: Partial<WebhookContext>) => Promise<WebhookBot> {
  const { redis } = redisForTests();
  const open: HttpServer[] = [];
  const closeAll = () => Promise.all(open.splice(0).map((http) => http.close(0)));
  beforeEach(closeAll);
  afterEach(closeAll);
  afterAll(closeAll);

  return async (override = {}) => {
    const options = { retentionDays: 30, auditDays: 400, replication: null };
    const changed: string[] = [];
    const storedChanges = { add: (changes: readonly StoredChange[]) => changed.push(...refsOf(changes)) };
    const executions = createExecutionStore(redis(), { ...options, storedChanges });
    const before = createExecutionStore(redis(), options);
    const reports: WebhookReport[] = [];
    const refused: string[] = [];
    const { log, text: logged } = readableLog();
    const context: WebhookContext = {
      executions,
      outputs: createOutputStore(redis(), options),
      activity: createActivityLog(redis(), options),
      hourlyCounts: createHourlyCounts(redis()),
      credentials: createCredentials([SECRET]),
      addresses: createAddressSeal([SECRET]),
      refs: createRefs([SECRET]),
      crews: [crew({ name: CREW }), crew({ name: 'writing' })],
      rulesOf: () => RULES,
      channelOf: async () => 'C_CREW',
      pendingRequests: new PendingRequests(),
      countRefused: (name) => refused.push(name),
      report: async (unreadable) => void reports.push(unreadable),
      readableLength: 150_000,
      log,
      ...override,
    };
    const http = createHttpServer({
      webhooks: createWebhooks(context),
      readiness: async () => ({ version: '1.2.3', parts: {} }),
      metrics: async () => '',
      log,
    });
    open.push(http);
    const origin = `http://127.0.0.1:${await http.listen(0, '127.0.0.1')}`;

    return {
      origin,
      context,
      changed,
      reports,
      refused,
      logged,
      async execution(ref, more = {}) {
        await before.create(ref, (now) => started(ref, now, { ...RUNNING, kickoffIds: ['K1'], ...more }));
      },
      load: (ref) => loaded(executions, ref),
      async post(path, body, authorization) {
        const answer = await fetch(`${origin}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        });
        const { status } = SAID.parse(await answer.json());
        return [answer.status, status];
      },
    };
  };
}

const refsOf = (changes: readonly StoredChange[]) => changes.map(({ after }) => after.ref);

const RUNNING: Partial<Execution> = { run: { status: 'running' }, kickoff: { status: 'settled' } };

async function loaded(executions: ExecutionStore, ref: string): Promise<Execution> {
  const found = await executions.load(ref);
  if (!found) throw new Error(`There is no execution ${ref}.`);
  return found.execution;
}
