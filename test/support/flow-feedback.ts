import { createHmac } from 'node:crypto';
import type { Json } from '../../src/core/values/json.ts';
import { defineFlow, z } from '../../src/sandbox/crew-service/crew.ts';

/** The secret of the webhook in the control panel. */
export const FLOW_SECRET = `whsec_${'5e'.repeat(32)}`;

/** A flow that asks about what it writes, and then works on until it is released. */
export function printingFlow(name: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const flow = defineFlow({
    name,
    inputs: { topic: z.string(), highlights: z.string() },
    methods: {
      write: {
        next: 'print',
        humanFeedback: { message: 'Is this ready?' },
        run: ({ inputs }) => `# ${inputs.topic}`,
      },
      print: { run: () => released.then(() => 'Printed.') },
    },
  });
  return { flow, release };
}

export interface Signing {
  /** The key, or the text of it. */
  key?: string | Buffer;
  header?: string;
  /** Seconds since 1970. */
  at?: number;
}

/** The headers with which a control panel proves that this body is its own. */
export function signed(body: string | Buffer, { key = FLOW_SECRET, header, at }: Signing = {}): Record<string, string> {
  const timestamp = String(at ?? Math.floor(Date.now() / 1_000));
  const digest = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    [header ?? 'x-crewai-signature']: `sha256=${digest}`,
    'x-crewai-timestamp': timestamp,
  };
}

/** A request as it was captured from a deployed service. */
export function flatRequest(change: Record<string, Json> = {}): Record<string, Json> {
  return {
    event_type: 'new_request',
    id: 'R1',
    status: 'pending',
    flow_id: 'F1',
    flow_class: 'ReviewFlow',
    method_name: 'write',
    message: 'Is this ready?',
    output: '# Tea\n\nAbout tea.',
    emit: ['approved', 'rejected', 'needs_revision'],
    default_outcome: 'needs_revision',
    state: { topic: 'tea' },
    metadata: {},
    created_at: '2026-11-27T09:00:00Z',
    callback_url: 'https://app.crewai.com/crewai_plus/api/v1/human_feedback_requests/R1/respond?token=single-use',
    response_token: 'single-use',
    deployment_id: 7,
    deployment_name: 'review',
    flow_execution_id: 'F1',
    assigned_to_email: null,
    assigned_at: null,
    escalated_at: null,
    sla_target_minutes: null,
    routing: null,
    ...change,
  };
}

/** The same as some documentation has it. */
export function nestedRequest(change: Record<string, Json> = {}): Record<string, Json> {
  const {
    event_type,
    callback_url = null,
    emit = null,
    assigned_to_email: email = null,
    ...request
  } = flatRequest(change);
  const assigned_to = email === null ? null : { id: 1, email, name: 'Somebody' };
  return { event: event_type ?? null, request: { ...request, emit_options: emit, assigned_to }, callback_url };
}
