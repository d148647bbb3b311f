import { z } from 'zod';
import type { Json } from './json.ts';

const FIELD = z.strictObject({
  /** For `{{form.NAME}}`. */
  name: z.string().regex(/^[\w-]+$/),
  label: z.string().min(1),
  type: z.enum(['text', 'long-text', 'number', 'person', 'channel']),
  isOptional: z.boolean().optional(),
});

const STEP = z.strictObject({
  /** The `callback_id` of a function in the app's manifest. */
  function: z.string(),
  /**
   * Values by the names of its input parameters. A text may name others: `{{starter}}`, who has started the workflow;
   * `{{form.NAME}}`, what they answered; `{{steps.1.NAME}}`, what an earlier step has put out. A text that is nothing but such a
   * name becomes the value itself, whatever its type.
   */
  inputs: z.record(z.string(), z.json()).optional(),
});

const WORKFLOW = z.strictObject({
  /** No two have the same. */
  name: z.string().min(1),
  description: z.string().optional(),
  /** The questions to the person who starts it. Without fields, it starts at once. */
  form: z.array(FIELD).optional(),
  steps: z.array(STEP).min(1),
});

/**
 * A workflow of the app's custom steps, as people build them in Workflow Builder. A person starts it on the page, and its steps run
 * one after the other: each waits without limit until the app completes it.
 * https://slack.com/help/articles/360035692513-Guide-to-Slack-Workflow-Builder
 */
export type Workflow = z.infer<typeof WORKFLOW>;
export type WorkflowField = z.infer<typeof FIELD>;
export type WorkflowStep = z.infer<typeof STEP>;

/** Throws, with the places and the reasons, if it isn't one. */
export function parseWorkflow(value: Json | undefined): Workflow {
  return parsed(WORKFLOW, value);
}

/** Several, as a file has them. */
export function parseWorkflows(value: Json | undefined): Workflow[] {
  return parsed(z.array(WORKFLOW), value);
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new Error(error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`).join('; '));
}
