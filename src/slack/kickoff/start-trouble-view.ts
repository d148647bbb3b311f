import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { Execution, Run } from '../../core/execution/execution.ts';
import type { Say } from '../language/say.ts';
import type { KickoffTrouble } from '../run/kickoff-trouble-text.ts';
import { type FormPorts, formView } from './form-view.ts';
import type { ChannelFrom } from './kickoff-metadata.ts';
import { kickoffTroubleModal } from './trouble.ts';

/** How a start failed; null if it hasn't. */
export function troubleOf(run: Run): KickoffTrouble | null {
  switch (run.status) {
    case 'not-started':
      return { kind: 'refused', refusal: run.refusal };
    case 'unconfirmed':
      return { kind: 'doubt', doubt: run.doubt };
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'failed':
    case 'lost':
      return null;
  }
}

interface FailedStart {
  execution: Execution;
  trouble: KickoffTrouble;
  /** Default: `place`. */
  channelFrom?: ChannelFrom;
  /** How often the form will have been submitted. */
  attempt: number;
  /** How long the crew may take to say what it needs. */
  patienceMs: number;
}

/**
 * What takes the place of a form that was submitted: the form again, which says what the crew refused. Where the crew doesn't
 * say what it needs, or may have started, only what became of the start. Never throws.
 */
export async function startTroubleView(ports: FormPorts, failed: FailedStart, say: Say): Promise<ModalView> {
  const { execution, trouble, channelFrom = 'place', attempt, patienceMs } = failed;
  const { ref, crew, channel, inputs: values } = execution;
  const plain = kickoffTroubleModal({ ref, crew, trouble }, say);
  if (trouble.kind === 'doubt') return plain;
  // They have agreed to what a shared channel sees with the first start.
  const place = { channel, channelFrom, sharing: 'own' as const };
  const request = { crew, crews: [crew], ...place, attempt, values, refused: trouble.refusal };
  const form = await Promise.race([formView(ports, request, say), delay(patienceMs, plain, { ref: false })]);
  return form.callback_id === 'kickoff' ? form : plain;
}
