import type { Server } from 'node:http';
import type { Redis } from 'ioredis';
import type { CrewCode } from './executions/crew-code.ts';
import { codeInProcess } from './executions/crew-code-in-process.ts';
import { createExecutions } from './executions/executions.ts';
import type { Run } from './executions/run.ts';
import { createRunner, type Runner } from './executions/runner.ts';
import { createIdentify, maySee } from './http/access.ts';
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

/** @param hosted the crews whose code runs elsewhere */
export function assembleCrewService(
  settings: CrewServiceSettings,
  redis: Redis,
  hosted: readonly CrewCode[],
): CrewServiceParts {
  const { keyPrefix, dialect, tokens, crewTokens, logger } = settings;
  const stopping = createStopController();
  const store = createStore(redis, keyPrefix, settings.retentionMs);
  const scripts = createScripts(redis, keyPrefix);
  const gates = createGates(redis, keyPrefix, logger);
  const { model } = settings;
  const inProcess = settings.crews.map((crew) => codeInProcess(crew, { gates, model }));
  const crews = new Map([...inProcess, ...hosted].map((crew) => [crew.name, crew]));
  const faults = createFaults();
  const records = createRecords();
  const deliverer = createDeliverer({ store, retry: settings.webhookRetry, faults, records, logger });
  const deliver = (deliveries: readonly Delivery[]) => deliverer.deliver(deliveries);
  const runner = createRunner({ crews, store, dialect, deliver, logger });
  const pickUp = createPickUp({ settings, store, runner, deliver, signal: stopping.signal });
  const own = new Map(Object.entries(crewTokens));
  const executions = createExecutions({
    ...{ store, scripts, dialect, deliver, pickUp },
    drive: runner.drive,
    maySee: (caller, run) => maySee({ caller, run, access: (own.get(run.crew) ?? tokens).userAccess ?? 'own' }),
  });
  const revocations = createRevocations(redis, keyPrefix);
  const sandbox = createCrewSandbox({ scripts, gates, faults, records, revocations, store });
  const server = createCrewServer({
    answer: createRoutes({ crews, dialect, revocations, executions, store }),
    answerSandbox: settings.sandboxApi === 'on' ? createSandboxRoutes(sandbox, tokens) : undefined,
    identify: createIdentify({ crewNames: [...crews.keys()], tokens, crewTokens }),
    ...{ dialect, faults, gates, records, logger },
    bodyLimitBytes: settings.bodyLimitBytes,
    requestTimeoutMs: settings.requestTimeoutMs,
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
