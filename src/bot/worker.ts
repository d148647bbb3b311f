import { settleAdoption } from '../crew/webhooks/settle-adoption.ts';
import type { RateLimiters } from '../slack/api/rate-limiter.ts';
import { createWorkflows } from '../slack/features/workflow/complete.ts';
import { approvalTextOf, findPermission } from '../slack/request/change-request.ts';
import { createNotifier } from '../slack/thread/notices.ts';
import { createThread } from '../slack/thread/thread.ts';
import { createDueActionHandler } from '../worker/due-action-handler.ts';
import { RecentUpdates, repeatUpdates } from '../worker/slack-messages.ts';
import { Worker } from '../worker/worker.ts';
import type { Parts } from './parts.ts';

export function createWorker(parts: Parts, rateLimiters: RateLimiters): Worker {
  const {
    store,
    recentOutputs: outputs,
    shownOutputs,
    due,
    processes,
    rulesOf,
    addresses,
    crewClient,
    clients,
    directory,
  } = parts;
  const { people, personSettings: settings, pendingRequests, metrics, log } = parts;
  const client = clients.background;
  const thread = createThread({
    client,
    render: { ...parts, ...directory, outputs: shownOutputs, languageOf: people.languageOf, settings },
    notifier: createNotifier({ ...parts, client, crewInputs: crewClient }),
    rateLimiters,
    log,
  });
  const settle = async (ref: string) => {
    const settled = await settleAdoption({ executions: store, outputs, rulesOf, addresses }, ref);
    if (settled.kind === 'refused')
      log.warn({ ref }, 'dropped the request of an execution started elsewhere, as its crew is set to');
  };
  const updates = new RecentUpdates(processes.isAlone);
  const handler = createDueActionHandler({
    ...parts,
    outputs,
    updates,
    crews: crewClient,
    thread,
    workflows: createWorkflows({ ...parts, client, outputs: shownOutputs }),
    findJudging: async (execution) => ({
      ...(await findPermission(parts, execution, [])),
      text: approvalTextOf(parts, execution.crew),
    }),
    settleAdoption: settle,
  });
  const worker = new Worker({ store, due, handler, pendingRequests, log, onFault: () => metrics.fault('worker') });
  processes.onGone((silentMs) => repeatUpdates({ store, updates, log }, silentMs));
  return worker;
}
