import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import type { CrewRefusal } from '../../core/approval/approval.ts';
import type { Crew, InputField } from '../../core/crew.ts';
import { inputFields } from '../../core/crew.ts';
import type { InputsAnswer } from '../../core/execution/crew-answers.ts';
import type { Inputs } from '../../core/json.ts';
import type { CrewInputs } from '../../core/ports.ts';
import { slackErrorName } from '../api/errors.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { kickoffForm } from './form.ts';
import { loadingModal } from './progress-modals.ts';
import { inputsTroubleModal } from './trouble.ts';

/** What a form is to show. */
export interface FormRequest {
  crew: string;
  channel: string;
  attempt: number;
  values: Inputs;
  missing: string[];
  /** What the crew said of them. */
  said?: string;
}

/** What is known of a crew's form. */
export type FieldsAnswer =
  | {
      kind: 'fields';
      fields: InputField[];
      /** The names among them that the service doesn't report. */
      unreported: string[];
    }
  | { kind: 'unknown'; code: CrewRefusal };

/** A `trigger_id` lives three seconds, so that a service gets only a part of them before a loading view is shown. */
const PATIENCE_MS = 700;

export const TOO_LATE = 'This took too long, so that the form could not be opened. Please try again.';

interface FormPorts {
  crews: ReadonlyMap<string, Crew>;
  crewInputs: CrewInputs;
}

/**
 * The fields of a crew's form: what the service says it needs, with what the operator says of it, and at the end those
 * names that the service asked for without having reported them.
 */
export async function fieldsOf(
  { crews, crewInputs }: FormPorts,
  crew: string,
  wanted: string[] = [],
): Promise<FieldsAnswer> {
  const answer: InputsAnswer = await crewInputs.inputs(crew);
  switch (answer.kind) {
    case 'inputs': {
      const unreported = [...new Set(wanted)].filter((name) => !answer.names.includes(name));
      const fields = inputFields([...answer.names, ...unreported], crews.get(crew)?.inputs ?? {});
      return { kind: 'fields', fields, unreported };
    }
    case 'refused':
      return { kind: 'unknown', code: answer.code };
    case 'unreadable':
      return { kind: 'unknown', code: 'other' };
    case 'unreachable':
      return { kind: 'unknown', code: 'unreachable' };
  }
}

/** The form for a start, or, where the crew doesn't say what it needs, why there is none and a way to ask again. */
export async function formView(ports: FormPorts, request: FormRequest): Promise<ModalView> {
  const { crew, channel, attempt, values, missing } = request;
  // What was given before is kept, also where the crew asked for it without reporting it: else it would ask again and again.
  const answer = await fieldsOf(ports, crew, [...Object.keys(values), ...missing]);
  if (answer.kind === 'unknown')
    return inputsTroubleModal({ crew, code: answer.code, metadata: JSON.stringify({ crew, channel, attempt }) });
  return kickoffForm({
    ...request,
    crews: [...ports.crews.keys()],
    fields: answer.fields,
    unreported: answer.unreported,
    problem: saidMore(request.said ?? '') ? `The crew said: “${request.said}”` : null,
  });
}

/** Which inputs are missing says the form itself; what else may be wrong with them, only the crew. */
function saidMore(said: string): boolean {
  return said.trim() !== '' && !/^missing (?:required )?inputs?\b/i.test(said);
}

/** A modal in front of somebody that may be shown before its content is known. */
export interface Shown {
  viewId: string;
}

/**
 * Resolves what is wanted at once where it comes quickly; else opens a loading view meanwhile, so that the trigger is used
 * in time. `shown` is null where nothing was opened.
 */
export async function patiently<Value>(
  context: ListenerContext,
  { triggerId, crew, onSlow }: { triggerId: string; crew: string; onSlow?: () => Promise<void> },
  wanted: Promise<Value>,
): Promise<{ value: Value; shown: Shown | null }> {
  const settled = wanted.then(() => true);
  const quick = await Promise.race([settled, delay(PATIENCE_MS, false)]);
  if (!quick) await onSlow?.();
  const opened = quick ? null : await openView(context, triggerId, loadingModal(crew));
  return { value: await wanted, shown: opened === 'already' ? null : opened };
}

/** Opens a modal; null where it is too late for that, `already` where Slack delivered again what a modal was opened for. */
export async function openView(
  context: ListenerContext,
  triggerId: string,
  view: ModalView,
): Promise<Shown | 'already' | null> {
  try {
    const opened = await context.client.views.open({ trigger_id: triggerId, view });
    return { viewId: opened.view?.id ?? '' };
  } catch (error) {
    if (slackErrorName(error) === 'exchanged_trigger_id') return 'already';
    context.log.warn({ err: error, view: view.callback_id }, 'a modal could not be opened');
    return null;
  }
}

/** Turns a modal into another one. False where it was closed or has changed meanwhile. */
export async function updateView(
  context: Pick<ListenerContext, 'client' | 'log'>,
  key: { viewId: string; hash?: string },
  view: ModalView,
): Promise<boolean> {
  const { viewId, hash } = key;
  try {
    await context.client.views.update({ view_id: viewId, view, ...(hash ? { hash } : {}) });
    return true;
  } catch (error) {
    const slackError = slackErrorName(error);
    if (slackError !== 'not_found' && slackError !== 'hash_conflict')
      context.log.warn({ err: error, view: view.callback_id }, 'a modal could not be updated');
    return false;
  }
}
