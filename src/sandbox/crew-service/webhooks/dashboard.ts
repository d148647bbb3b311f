// The dashboard, in which deployed services set the webhook that tells of a flow's requests for feedback:
// https://docs.crewai.com/en/enterprise/features/flow-hitl-management#custom-webhooks-api
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { eventExecutionId, type FeedbackRequest, type Run, stateOf } from '../executions/run.ts';
import { asText, type JsonObject } from '../json.ts';
import type { Notification } from './notification.ts';

export const dashboardSettings = z.strictObject({
  /** The address of requests for feedback. */
  url: z.url({ protocol: /^https?$/ }),
  /** All of it is the key of the signature. Deployed services make up `whsec_` and 64 hex digits. */
  secret: z.string().min(1),
  /** `flat` as it was captured from a deployed service, `nested` as some documentation has it. */
  shape: z.enum(['flat', 'nested']).default('flat'),
  /** The e-mail address of the person to whom requests are assigned. */
  assignedTo: z.email().optional(),
});

export type DashboardSettings = z.output<typeof dashboardSettings>;

/** The settings as somebody writes them, with defaults left out. */
export type GivenDashboard = z.input<typeof dashboardSettings>;

/** The settings of the dashboard, kept in Redis once a test has changed them. */
export interface Dashboard {
  /** Reads the settings that an earlier service has kept. */
  load(): Promise<void>;
  /** null: no webhook. Rejects with `ZodError` if the settings are invalid. */
  set(settings: GivenDashboard | null): Promise<void>;
  /** Below this, the service takes answers. */
  serveAt(origin: string): void;
  /** Returns the notification of a request; undefined without a webhook: then the dashboard alone has it. */
  notificationOf(request: FeedbackRequest, run: Run): Notification | undefined;
}

export function createDashboard(redis: Redis, prefix: string, initial: GivenDashboard | undefined): Dashboard {
  const key = `${prefix}dashboard`;
  let settings = initial === undefined ? null : dashboardSettings.parse(initial);
  let origin = '';
  return {
    async load() {
      const stored = await redis.get(key);
      if (stored !== null) settings = dashboardSettings.nullable().parse(JSON.parse(stored));
    },
    async set(next) {
      settings = dashboardSettings.nullable().parse(next);
      await redis.set(key, JSON.stringify(settings));
    },
    serveAt(address) {
      origin = address;
    },
    notificationOf(request, run) {
      if (settings === null) return undefined;
      const { url, secret, shape } = settings;
      const header = shape === 'flat' ? 'x-crewai-signature' : 'x-signature';
      const body = newRequest(request, run, settings, `${origin}${callbackPath(request, run)}`);
      return { kind: 'human-feedback', url, authentication: { strategy: 'hmac', secret, header }, body };
    },
  };
}

/** The path below a crew at which answers are taken. */
export const CALLBACK = { before: 'crewai_plus/api/v1/human_feedback_requests', after: 'respond' };

function callbackPath({ id, token }: FeedbackRequest, { crew }: Run): string {
  return `/crews/${crew}/${CALLBACK.before}/${id}/${CALLBACK.after}?token=${token}`;
}

function newRequest(request: FeedbackRequest, run: Run, settings: DashboardSettings, callback_url: string): JsonObject {
  const { id, token: response_token, outcomes } = request;
  const created_at = new Date(request.createdAt).toISOString();
  const emit = outcomes.length > 0 ? outcomes : null;
  const common = {
    ...{ id, status: 'pending', flow_id: run.id, flow_class: classOf(run.crew), method_name: request.method },
    ...{ message: request.message, output: asText(request.output) },
    ...{ default_outcome: request.defaultOutcome, state: stateOf(run), metadata: {}, created_at, response_token },
    ...{ deployment_id: 1, deployment_name: run.crew, flow_execution_id: eventExecutionId(run) },
    ...{ escalated_at: null, sla_target_minutes: null, routing: null },
  };
  const email = settings.assignedTo ?? null;
  const assigned_at = email === null ? null : created_at;
  if (settings.shape === 'flat')
    return { event_type: 'new_request', ...common, emit, callback_url, assigned_to_email: email, assigned_at };
  const assigned_to = email === null ? null : { id: 1, email, name: email };
  return { event: 'new_request', request: { ...common, emit_options: emit, assigned_to, assigned_at }, callback_url };
}

/** `content-review` → `ContentReviewFlow`, as its class would be named. */
function classOf(crew: string): string {
  const words = crew.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `${words.join('')}Flow`;
}
