import { z } from 'zod';
import type { FormValues } from '../ui/form-values.ts';
import type { Actor } from './actor.ts';
import { actorOf, userSchema } from './actor.ts';
import { parseRequest } from './parse-request.ts';

/** An open modal, or a Home tab, as its payload describes it. */
export interface OpenView {
  id: string;
  /** Changes with each update; an update that names an old one fails. */
  hash: string;
  callbackId: string;
  metadata: string;
  /** What people entered, by block_id and action_id. */
  values: FormValues;
  /** The id of the modal below; null if there is none. */
  previousId: string | null;
  /** The id of the lowest modal of the stack: its own if there is none below. */
  rootId: string;
}

export interface Submission {
  view: OpenView;
  actor: Actor;
  triggerId: string;
}

const valueSchema = z
  .object({
    type: z.string().default(''),
    value: z.string().nullish(),
    selected_date: z.string().nullish(),
    selected_time: z.string().nullish(),
    selected_user: z.string().nullish(),
    selected_conversation: z.string().nullish(),
    selected_option: z.object({ value: z.string() }).nullish(),
    selected_options: z.array(z.object({ value: z.string() })).nullish(),
  })
  .transform(({ type, ...state }) => ({
    type,
    value: state.value ?? null,
    selected_date: state.selected_date ?? null,
    selected_time: state.selected_time ?? null,
    selected_user: state.selected_user ?? null,
    selected_conversation: state.selected_conversation ?? null,
    selected_option: state.selected_option ?? null,
    selected_options: state.selected_options ?? null,
  }));

/** https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload */
export const viewSchema = z.object({
  type: z.string().default('modal'),
  id: z.string().min(1),
  hash: z.string().default(''),
  callback_id: z.string().default(''),
  private_metadata: z.string().default(''),
  previous_view_id: z.string().nullish(),
  root_view_id: z.string().nullish(),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), valueSchema)).default({}) }).nullish(),
});

const submissionSchema = z.object({ user: userSchema, view: viewSchema, trigger_id: z.string().default('') });

export function openView(view: z.infer<typeof viewSchema>): OpenView {
  return {
    id: view.id,
    hash: view.hash,
    callbackId: view.callback_id,
    metadata: view.private_metadata,
    values: view.state?.values ?? {},
    previousId: view.previous_view_id ?? null,
    rootId: view.root_view_id ?? view.id,
  };
}

/** @throws {UnreadableRequest} if the body isn't a submission */
export function readSubmission(body: unknown): Submission {
  const { user, view, trigger_id } = parseRequest(submissionSchema, body);
  return { view: openView(view), actor: actorOf(user), triggerId: trigger_id };
}
