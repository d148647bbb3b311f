import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Crew } from '../../core/crew.ts';
import type { Execution, FormKey } from '../../core/execution/execution.ts';
import { tsOf } from '../../core/messages/post.ts';
import type { CrewInputs } from '../../core/ports.ts';
import type { Identity } from '../api/identity.ts';
import { permalink } from '../api/identity.ts';
import { postPrivately } from '../api/post-privately.ts';
import { updateModal } from '../interaction/modals.ts';
import { formView } from '../kickoff/form-view.ts';
import { startedModal } from '../kickoff/progress-modals.ts';
import { kickoffTroubleMessage, kickoffTroubleModal } from '../kickoff/trouble.ts';
import type { KickoffTrouble } from '../run/kickoff-trouble-text.ts';

/** Tells the starter how the kickoff went: in the form if it is still open, otherwise privately in the channel. */
export interface Notifier {
  /** Never throws. */
  notify(execution: Execution): Promise<'told' | 'later'>;
}

export function createNotifier(ports: {
  client: WebClient;
  crews: ReadonlyMap<string, Crew>;
  crewInputs: CrewInputs;
  identity: Identity;
  log: Logger;
}): Notifier {
  const { client, identity, log } = ports;

  const started = async (execution: Execution): Promise<'told'> => {
    const { crew, channel, root, origin } = execution;
    const ts = tsOf(root);
    const link = ts === null ? null : permalink(identity, channel, ts, null);
    if (origin.kind === 'form') await updateModal(ports, origin.form, startedModal({ crew, link }));
    return 'told';
  };

  const trouble = async (execution: Execution, what: KickoffTrouble): Promise<'told' | 'later'> => {
    const { origin, channel, ref, crew } = execution;
    if (origin.kind === 'elsewhere') return 'told';
    if (origin.kind === 'form') {
      const view = await troubleView(execution, what, origin.form);
      if (await updateModal(ports, origin.form, view)) return 'told';
    }
    try {
      await postPrivately(client, { channel, user: origin.by.id }, kickoffTroubleMessage({ ref, crew, trouble: what }));
      return 'told';
    } catch (error) {
      log.warn({ ref, err: error }, 'could not notify the starter');
      return 'later';
    }
  };

  const troubleView = (execution: Execution, what: KickoffTrouble, form: FormKey): Promise<ModalView> | ModalView => {
    const { ref, crew, channel, inputs } = execution;
    if (what.kind === 'doubt' || what.refusal.code !== 'missing-inputs')
      return kickoffTroubleModal({ ref, crew, trouble: what });
    const { missing, detail: said } = what.refusal;
    return formView(ports, { crew, crews: [crew], channel, attempt: form.attempt + 1, values: inputs, missing, said });
  };

  return {
    async notify(execution) {
      const { run } = execution;
      switch (run.status) {
        case 'not-started':
          return trouble(execution, { kind: 'refused', refusal: run.refusal });
        case 'unconfirmed':
          return trouble(execution, { kind: 'doubt', doubt: run.doubt });
        case 'starting':
        case 'running':
        case 'waiting':
        case 'completed':
        case 'failed':
        case 'lost':
          return started(execution);
      }
    },
  };
}
