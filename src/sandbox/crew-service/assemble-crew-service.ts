import type { Server } from 'node:http';
import type { Redis } from 'ioredis';
import { createExecutions } from './executions/executions.ts';
import type { Run } from './executions/run.ts';
import { createRunner, type Runner } from './executions/runner.ts';
import { identify, maySee } from './http/access.ts';
import { createRoutes } from './http/routes.ts';
import { createCrewServer } from './http/server.ts';
import type { CrewServiceSettings } from './options.ts';
import { retryUntilSuccess } from './redis/retry-until-success.ts';
import { createStore, type Store } from './redis/store.ts';
import { type CrewSandbox, createCrewSandbox } from './sandbox-api/crew-sandbox.ts';
import { createFaults } from './sandbox-api/faults.ts';
import { createGates } from './sandbox-api/gates.ts';
import { createRecords } from './sandbox-api/records.ts';
import { createRevocations } from './sandbox-api/revocations.ts';
import { createSandboxRoutes } from './sandbox-api/sandbox-routes.ts';
import { createScripts } from './sandbox-api/scripts.ts';
import { createStopController } from './stop-controller.ts';
import { createDeliverer, type Deliverer } from './webhooks/deliverer.ts';
import type { Delivery } from './webhooks/delivery.ts';

/** The service put together, but not yet listening or working. */
type CrewServiceParts = {
  readonly server: Server;
  readonly runner: Runner;
  readonly deliverer: Deliverer;
  readonly sandbox: CrewSandbox;
  /** Aborted when the service stops. */
  readonly stopping: AbortController;
};

export function assembleCrewService(settings: CrewServiceSettings, redis: Redis): CrewServiceParts {
  const { keyPrefix, dialect, tokens, logger } = settings;
  const stopping = createStopController();
  const crews = new Map(settings.crews.map((crew) => [crew.name, crew]));
  const store = createStore(redis, keyPrefix, settings.retentionMs);
  const scripts = createScripts(redis, keyPrefix);
  const gates = createGates(redis, keyPrefix, logger);
  const faults = createFaults();
  const records = createRecords();
  const deliverer = createDeliverer({ store, retry: settings.webhookRetry, faults, records, logger });
  const deliver = (deliveries: readonly Delivery[]) => deliverer.deliver(deliveries);
  const runner = createRunner({ crews, store, dialect, gates, deliver, logger });
  const pickUp = createPickUp({ settings, store, runner, deliver, signal: stopping.signal });
  const tokensOf = (crew: string) => settings.crewTokens[crew] ?? tokens;
  const executions = createExecutions({
    ...{ store, scripts, dialect, deliver, pickUp },
    drive: runner.drive,
    maySee: (caller, run) => maySee({ caller, run, access: tokensOf(run.crew).userAccess ?? 'own' }),
  });
  const revocations = createRevocations(redis, keyPrefix);
  const sandbox = createCrewSandbox({ scripts, gates, faults, records, revocations, store });
  const server = createCrewServer({
    answer: createRoutes({ crews, dialect, revocations, executions, store }),
    answerSandbox: settings.sandboxApi === 'on' ? createSandboxRoutes(sandbox, tokens) : undefined,
    callerOf: (crew, authorization) => identify(authorization, tokensOf(crew)),
    ...{ dialect, faults, gates, records, logger },
    bodyLimitBytes: settings.bodyLimitBytes,
    stopping: stopping.signal,
  });
  return { server, runner, deliverer, sandbox, stopping };
}

type PickUpParts = {
  readonly settings: CrewServiceSettings;
  readonly store: Store;
  readonly runner: Runner;
  readonly deliver: (deliveries: readonly Delivery[]) => void;
  readonly signal: AbortSignal;
};

/** Continues a run, and its deliveries, when it is unknown whether its last change was stored. */
function createPickUp({ settings, store, runner, deliver, signal }: PickUpParts): (run: Run) => void {
  return (run) => {
    runner.drive(run.id);
    const pending = retryUntilSuccess(() => store.deliveriesOf(run.executionId), signal, settings.logger);
    void pending.then(deliver).catch(() => {});
  };
}
