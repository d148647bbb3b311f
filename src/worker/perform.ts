import { catchUp } from '../core/execution/activity.ts';
import { expireClaims } from '../core/messages/delivery.ts';
import { change } from './change.ts';
import { type CrewCalls, kickoff, poll, resume } from './crew-calls.ts';
import type { Performer } from './execution-tasks.ts';
import { type Deliveries, notifyStarter, post, takeTurn, update } from './messages.ts';

interface Ports extends CrewCalls, Deliveries {
  /** Looks whether a held execution turned out to be one of ours, and merges or releases it. */
  settleAdoption: (ref: string) => Promise<void>;
}

/** How each action is done: claimed in the record where it can't be repeated, then the call, then what it proved. */
export function createPerformer(ports: Ports): Performer {
  return {
    async prepare(execution, action) {
      return 'message' in action ? takeTurn(ports, execution, action) : true;
    },
    perform: createPerform(ports),
  };
}

function createPerform(ports: Ports): Performer['perform'] {
  const { store, log, settleAdoption } = ports;
  return async (ref, action) => {
    switch (action.kind) {
      case 'kickoff':
        return kickoff(ports, ref);
      case 'resume':
        return resume(ports, ref, action.approvalId);
      case 'post':
        return post(ports, ref, action.message);
      case 'update':
        return update(ports, ref, action.message);
      case 'starter-notice':
        return notifyStarter(ports, ref);
      case 'expire':
        await change(store, ref, expireClaims);
        return log.warn({ ref }, 'claims without an answer expired');
      case 'catch-up':
        await change(store, ref, catchUp);
        return;
      case 'poll':
        return poll(ports, ref);
      case 'check-adoption':
        return settleAdoption(ref);
    }
  };
}
