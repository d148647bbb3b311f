// The worker, made from the parts of the bot.

import { cardModel } from '../core/messages/view-models.ts';
import type { RequestRules } from '../core/policy/rules.ts';
import { threadTsOf } from '../core/state/execution.ts';
import { cardTsOf } from '../core/state/message.ts';
import type { Millis } from '../core/values/time.ts';
import { settleAdoption } from '../crew/webhooks/settle-adoption.ts';
import { permalink } from '../slack/api/identity.ts';
import { findShortages } from '../slack/directory/deciders.ts';
import { createWorkflows } from '../slack/features/workflow/complete.ts';
import { cardHeading } from '../slack/request/card-state.ts';
import { approvalTextOf, findPermission } from '../slack/request/change-request.ts';
import { createNotifier } from '../slack/thread/notices.ts';
import { findShortageText } from '../slack/thread/render.ts';
import { createThread } from '../slack/thread/thread.ts';
import { escapeMrkdwn } from '../slack/ui/text/escape.ts';
import { createDueActionHandler } from '../worker/due-action-handler.ts';
import { RecentUpdates, repeatUpdates } from '../worker/slack-messages.ts';
import { Worker } from '../worker/worker.ts';
import type { Parts } from './parts.ts';

export function createWorker(parts: Parts, lookForDecidersMs?: Millis): Worker {
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
    rateLimiters,
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
    findShortages: (rules) => findShortages(directory, rules),
    reportUndecidable: (rules) => reportUndecidable(parts, rules),
    lookForDecidersMs,
    settleAdoption: settle,
  });
  const worker = new Worker({
    store,
    due,
    handler,
    pendingRequests,
    log,
    onFault: (error) => metrics.fault('worker', error),
  });
  processes.onGone((silentMs) => repeatUpdates({ store, updates, log }, silentMs));
  return worker;
}

/** Reports to the log and to AUDIT_CHANNEL that too few people can decide; false if Slack refuses the post. */
async function reportUndecidable(parts: Parts, rules: RequestRules): Promise<boolean> {
  const { ledger, sayings, identity, namesOf, directory, log } = parts;
  const { execution, request } = rules;
  const { ref, crew, channel } = execution;
  const threadTs = threadTsOf(execution);
  log.warn({ ref, crew, approvalId: request.id }, 'too few people are left who can decide a request');
  const say = sayings.in('en');
  const why = await findShortageText({ namesOf, approverNames: directory.approverNames }, rules, say);
  const ts = cardTsOf(execution, request) ?? threadTs;
  const link = ts === null ? '' : ` <${escapeMrkdwn(permalink(identity, channel, ts, threadTs))}|${say('alert.open')}>`;
  const heading = `${escapeMrkdwn(cardHeading(cardModel(execution, request), say))} · ${escapeMrkdwn(crew)}`;
  try {
    await ledger.tellOperators(parts, `⚠️ ${heading}\n${why ?? ''} ${say('short.advice')}${link}`);
    return true;
  } catch (error) {
    log.warn({ ref, err: error }, 'could not tell AUDIT_CHANNEL that too few people are left');
    return false;
  }
}
