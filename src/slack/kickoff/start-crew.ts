import type { Person } from '../../core/approval/approval.ts';
import type { FormKey } from '../../core/execution/execution.ts';
import { startExecution } from '../../core/execution/start.ts';
import type { Inputs } from '../../core/json.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';

/** What is started, by whom, and by what: the same form or trigger starts the same execution, however often it arrives. */
export interface Beginning {
  crew: string;
  channel: string;
  by: Person;
  inputs: Inputs;
  /** What a command starts may have a modal too, which is told how the start went. */
  seed: { form: FormKey } | { triggerId: string; form: FormKey | null };
}

/** Stores the new execution and resolves to its ref. Throws when it can't be stored: nothing may be acknowledged then. */
export async function startCrew(
  context: ListenerContext,
  { crew, channel, by, inputs, seed }: Beginning,
): Promise<string> {
  const { form } = seed;
  const ref = context.createRef('triggerId' in seed ? { triggerId: seed.triggerId } : seed.form);
  const created = await context.store.create(ref, (now) =>
    startExecution({ ref, crew, channel, by, inputs, form }, now),
  );
  context.log.info({ ref, crew, channel, by: by.id, created }, 'a start was asked for');
  return ref;
}
