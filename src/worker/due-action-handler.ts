import { endHandOvers } from '../core/approval/end-hand-overs.ts';
import type { DueAction } from '../core/due-actions.ts';
import { catchUp } from '../core/execution/activity.ts';
import type { Execution } from '../core/execution/execution.ts';
import { tellExpiry } from '../core/execution/expiry.ts';
import type { ProcessRegistry } from '../core/queue-ports.ts';
import { awaitCrew, checkCrew } from './await-crew.ts';
import { change } from './change.ts';
import { type ClaimCall, createCallClaims } from './claim-calls.ts';
import { type CrewCallPorts, kickoff, poll, resume } from './crew-calls.ts';
import { endLeftClaims } from './end-left-claims.ts';
import { runTimer, type TimerPorts } from './run-timer.ts';
import { findRecipients, type MessagePorts, notifyStarter, post, takeTurn, update } from './slack-messages.ts';
import { tellPrivately } from './tell-privately.ts';

export interface DueActionHandler {
  /** The actions that are due although the record says that they are in progress: this process hasn't begun them. */
  unmade(execution: Execution): DueAction[];
  /** Waits for what must come before the action; resolves to false if the action was postponed instead. */
  prepare(execution: Execution, action: DueAction): Promise<boolean>;
  /** Does one action of one execution and stores the outcome. */
  handle(ref: string, action: DueAction): Promise<void>;
}

interface Ports extends Omit<CrewCallPorts & MessagePorts & TimerPorts, 'claimCall'> {
  processes: ProcessRegistry;
  /** Checks whether a held execution is one that we started ourselves, and merges or releases it. */
  settleAdoption: (ref: string) => Promise<void>;
}

/** Each action first claims in the record what can't be repeated, then makes its call, then stores the outcome. */
export function createDueActionHandler(ports: Ports): DueActionHandler {
  const { claimCall, unmadeCalls } = createCallClaims(ports.store, ports.processes.id);
  return {
    unmade: unmadeCalls,
    async prepare(execution, action) {
      if (!(await awaitCrew(ports, execution, action))) return false;
      return 'message' in action ? takeTurn(ports, execution, action) : true;
    },
    handle: createHandle({ ...ports, claimCall }),
  };
}

function createHandle(ports: Ports & { claimCall: ClaimCall }): DueActionHandler['handle'] {
  const { store, settleAdoption } = ports;
  return async (ref, action) => {
    switch (action.kind) {
      case 'kickoff':
        return kickoff(ports, ref);
      case 'resume':
        return resume(ports, ref, action.approvalId);
      case 'remind':
      case 'escalate':
      case 'expire':
        return runTimer(ports, ref, action);
      case 'find-recipients':
        return findRecipients(ports, ref, action.approvalId);
      case 'post':
        return post(ports, ref, action.message);
      case 'update':
        return update(ports, ref, action.message);
      case 'private-answer':
        return tellPrivately(ports, ref, action.to);
      case 'starter-notice':
        return notifyStarter(ports, ref);
      case 'check-claims':
        return endLeftClaims(ports, ref);
      case 'end-hand-overs':
        await change(store, ref, endHandOvers);
        return;
      case 'catch-up':
        await change(store, ref, catchUp);
        return;
      case 'poll':
        return poll(ports, ref);
      case 'check-adoption':
        return settleAdoption(ref);
      case 'check-crew':
        return checkCrew(ports, ref);
      case 'tell-expiry':
        await change(store, ref, tellExpiry);
        return;
    }
  };
}
