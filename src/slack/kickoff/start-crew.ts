import type { Person } from '../../core/approval/approval.ts';
import type { FormKey } from '../../core/execution/execution.ts';
import { startExecution } from '../../core/execution/start.ts';
import type { Inputs } from '../../core/json.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

interface StartRequest {
  crew: string;
  channel: string;
  by: Person;
  inputs: Inputs;
  /** Identifies the request: the same form or trigger starts one execution, however often it is delivered. A command may have a modal too. */
  seed: { form: FormKey } | { triggerId: string; form: FormKey | null };
}

/** Stores the new execution and resolves to its ref. Throws when it can't be stored: don't ack then. */
export async function startCrew(
  context: ListenerContext,
  { crew, channel, by, inputs, seed }: StartRequest,
): Promise<string> {
  const { form } = seed;
  const ref = context.createRef('triggerId' in seed ? { triggerId: seed.triggerId } : seed.form);
  const created = await context.store.create(ref, (now) =>
    startExecution({ ref, crew, channel, by, inputs, form }, now),
  );
  context.addToLog({ ref, crew, action: 'start', status: created });
  return ref;
}
