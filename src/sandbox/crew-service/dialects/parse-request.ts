import { z } from 'zod';
import type { Addresses } from '../executions/run.ts';
import { type Outcome, ok, refuse } from '../http/answer.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';

/** The values that a `Bearer` header can hold and its receiver can read: visible ASCII, https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const bearerToken = z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be visible ASCII characters without spaces' });

/** https://www.rfc-editor.org/rfc/rfc7617#section-2 */
const password = z.string().regex(/^\P{Cc}*$/u, { error: 'must not contain control characters' });
const username = password.regex(/^[^:]*$/, { error: 'must not contain a colon' });

const authentication = z.discriminatedUnion('strategy', [
  z.object({ strategy: z.literal('bearer'), token: bearerToken }),
  z.object({ strategy: z.literal('basic'), username, password }),
]);

/** Credentials in it would neither be sent nor kept secret: https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4 */
const webhookAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine(hasNoCredentials, { error: 'must not contain a user name or password' });

const humanInputWebhook = z.object({ url: webhookAddress, authentication: authentication.optional() });

function hasNoCredentials(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}

export const jsonObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
  })
  .meta({ type: 'object' });

const eventAddresses = {
  taskWebhookUrl: webhookAddress.nullish(),
  stepWebhookUrl: webhookAddress.nullish(),
  crewWebhookUrl: webhookAddress.nullish(),
};

const observedExtras = {
  ...eventAddresses,
  humanInputWebhook: humanInputWebhook.nullish(),
  meta: jsonObject.nullish(),
};

/** An address without credentials, beside the one that may have them. */
const flowsExtras = { ...observedExtras, humanInputWebhookUrl: webhookAddress.nullish() };

/** Any name is taken, as deployed crews may have events of their own. */
const eventName = z.string().regex(/^\S+$/, { error: 'must be the name of an event' });

/** https://docs.crewai.com/en/enterprise/features/webhook-streaming */
const eventStream = z.object({
  events: z.array(eventName).min(1, { error: 'must name an event' }),
  url: webhookAddress,
  realtime: z.boolean().default(false),
  authentication: z.object({ strategy: z.literal('bearer'), token: bearerToken }).optional(),
});

const inputs = jsonObject.default({});
export const specKickoff = z.object({ inputs, humanInputWebhook: humanInputWebhook.nullish() });
export const observedKickoff = z.object({ inputs, ...observedExtras });

export const flowsKickoff = z.object({
  inputs,
  ...flowsExtras,
  webhooks: eventStream.nullish(),
  restoreFromStateId: z.uuid({ error: 'must be a UUID' }).nullish(),
});

export const specResume = z.object({
  execution_id: z.string(),
  task_id: z.string(),
  human_feedback: z.string().default(''),
  is_approve: z.boolean(),
  ...eventAddresses,
});

const observedDecision = {
  executionId: z.string(),
  taskId: z.string(),
  humanFeedback: z.string().default(''),
  isApprove: z.boolean(),
};
export const observedResume = z.object({ ...observedDecision, ...observedExtras });
export const flowsResume = z.object({ ...observedDecision, ...flowsExtras });

export type KickoffRequest = {
  readonly inputs: JsonObject;
  readonly addresses: Addresses;
  /** The earlier run whose state a flow continues. */
  readonly restoreFromStateId?: string | undefined;
};

export type ResumeRequest = {
  readonly executionId: string;
  readonly taskId: string;
  readonly approved: boolean;
  readonly text: string;
  readonly addresses: Addresses;
};

/** Section 2.3 of the specification: only `inputs` and `humanInputWebhook`; unknown fields are ignored. */
export function parseSpecKickoff(body: Json): Outcome<KickoffRequest> {
  const parsed = parse(specKickoff, body);
  if (!parsed.ok) return parsed;
  return ok(kickoffOf(parsed.value));
}

/** Deployed services also accept the task, step and crew addresses and `meta` at kickoff. */
export function parseObservedKickoff(body: Json): Outcome<KickoffRequest> {
  const parsed = parse(observedKickoff, body);
  if (!parsed.ok) return parsed;
  return ok(kickoffOf(parsed.value));
}

/** Those that know flows take more addresses, and a state to continue. */
export function parseFlowsKickoff(body: Json): Outcome<KickoffRequest> {
  const parsed = parse(flowsKickoff, body);
  if (!parsed.ok) return parsed;
  const { restoreFromStateId, ...given } = parsed.value;
  return ok({ ...kickoffOf(given), restoreFromStateId: restoreFromStateId ?? undefined });
}

function kickoffOf(fields: GivenAddresses & { readonly inputs: JsonObject }): KickoffRequest {
  return { inputs: fields.inputs, addresses: addressesOf(fields) };
}

/** Section 2.4 of the specification. */
export function parseSpecResume(body: Json): Outcome<ResumeRequest> {
  const parsed = parse(specResume, body);
  if (!parsed.ok) return parsed;
  const { execution_id, task_id, human_feedback, is_approve } = parsed.value;
  const addresses = addressesOf(parsed.value);
  return ok({ executionId: execution_id, taskId: task_id, approved: is_approve, text: human_feedback, addresses });
}

/** Deployed services read camel case only: to them, the specification's body lacks `executionId` and `taskId`. */
export function parseObservedResume(body: Json): Outcome<ResumeRequest> {
  return resumeIn(observedResume, body);
}

export function parseFlowsResume(body: Json): Outcome<ResumeRequest> {
  return resumeIn(flowsResume, body);
}

function resumeIn(schema: typeof observedResume | typeof flowsResume, body: Json): Outcome<ResumeRequest> {
  const parsed = parse<z.infer<typeof observedResume> & GivenAddresses>(schema, body);
  if (!parsed.ok) return parsed;
  const { executionId, taskId, humanFeedback, isApprove } = parsed.value;
  return ok({ executionId, taskId, approved: isApprove, text: humanFeedback, addresses: addressesOf(parsed.value) });
}

/** Blank feedback says nothing. */
const feedback = z.object({ feedback: z.string(), source: z.string().nullish() });

/** An answer to a flow's request for feedback. */
export function parseFeedback(body: Json): Outcome<{ readonly feedback: string; readonly source: string | null }> {
  const parsed = parse(feedback, body);
  if (!parsed.ok) return parsed;
  const { feedback: text, source = null } = parsed.value;
  return text.trim() === '' ? refuse({ kind: 'missing-fields', names: ['feedback'] }) : ok({ feedback: text, source });
}

type GivenAddresses = Partial<z.infer<z.ZodObject<typeof flowsExtras>>> & {
  readonly webhooks?: z.infer<typeof eventStream> | null | undefined;
};

function addressesOf(fields: GivenAddresses): Addresses {
  return {
    // The webhook that can have credentials counts if both are given.
    humanInput:
      fields.humanInputWebhook ?? (fields.humanInputWebhookUrl ? { url: fields.humanInputWebhookUrl } : undefined),
    task: fields.taskWebhookUrl ?? undefined,
    step: fields.stepWebhookUrl ?? undefined,
    crew: fields.crewWebhookUrl ?? undefined,
    stream: fields.webhooks ?? undefined,
    meta: fields.meta ?? {},
  };
}

/** Reports wrong types (400) before missing fields (422); see section 7 of the specification. */
function parse<Value>(schema: z.ZodType<Value>, body: Json): Outcome<Value> {
  if (!isObject(body)) return refuse({ kind: 'malformed', message: 'The body must be a JSON object.' });
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const { issues } = parsed.error;
  const wrong = issues.find((issue) => valueAt(body, issue.path) !== undefined);
  if (wrong) return refuse({ kind: 'malformed', message: `${wrong.path.join('.') || 'body'}: ${wrong.message}` });
  return refuse({ kind: 'missing-fields', names: issues.map((issue) => issue.path.join('.')) });
}

function valueAt(body: Json, path: readonly PropertyKey[]): unknown {
  let value: unknown = body;
  for (const key of path) value = Object(value)[key];
  return value;
}
