import { z } from 'zod';
import type { Json } from '../json.ts';

const matching = {
  crew: z.string().optional(),
  /** The number of matches that pass unharmed first. */
  skip: z.number().int().nonnegative().default(0),
  /** The number of matches that fail after that. */
  times: z.number().int().positive().default(1),
};

const answer = z.object({
  status: z.number().int().min(200).max(599),
  headers: z.record(z.string(), z.string()).default({}),
  body: z
    .custom<Json>((value) => value !== undefined)
    .default({ error: 'fault', message: 'A fault injected by a test.' }),
});

const requestFault = z
  .strictObject({
    route: z.enum(['inputs', 'kickoff', 'status', 'resume', 'executions', 'respond']),
    ...matching,
    /** True if the request takes effect. Default: only if `respond` is 'normally'. */
    apply: z.boolean().optional(),
    /** Delay before anything else happens. */
    delayMs: z.number().nonnegative().default(0),
    /** After the delay, wait until this gate is open. */
    gate: z.string().optional(),
    /**
     * Awaited after the request has (or hasn't) taken effect and before it is answered, so that a test can kill the
     * calling process. Only in the process of the service.
     */
    meanwhile: z.custom<() => Promise<void>>((value) => typeof value === 'function').optional(),
    /** 'silence' never answers, 'disconnect' drops the connection. */
    respond: z.union([z.enum(['normally', 'silence', 'disconnect']), answer]).default('normally'),
  })
  .refine(
    (fault) =>
      fault.respond === 'normally' ||
      typeof fault.respond === 'string' ||
      !promisesNoEffect(fault.respond) ||
      fault.apply !== true,
    {
      error: 'a request answered with 429, or with 503 and Retry-After, is never applied',
    },
  )
  .transform((fault) => ({ ...fault, apply: fault.apply ?? fault.respond === 'normally' }));

const webhookFault = z.strictObject({
  webhook: z.enum(['human-input', 'human-feedback', 'task', 'step', 'crew', 'events']),
  ...matching,
  /** 'swap' holds the notification back until the execution's next one has been sent. */
  effect: z.union([
    z.enum(['drop', 'swap']),
    z.strictObject({ duplicates: z.number().int().positive() }),
    z.strictObject({ delayMs: z.number().nonnegative() }),
    z.strictObject({
      wrapIn: z.enum(['data', 'body', 'payload']).optional(),
      rename: z.record(z.string(), z.string()).default({}),
    }),
  ]),
});

export type RequestFault = z.output<typeof requestFault>;
export type WebhookFault = z.output<typeof webhookFault>;

/** A fault as a test writes it, with defaults left out. */
export type FaultRule = z.input<typeof requestFault> | z.input<typeof webhookFault>;

/** 429, and 503 with `Retry-After`, promise the client that nothing happened. A proxy may answer 503 after forwarding. */
function promisesNoEffect({ status, headers }: z.output<typeof answer>): boolean {
  return (
    status === 429 || (status === 503 && Object.keys(headers).some((name) => name.toLowerCase() === 'retry-after'))
  );
}

type Armed<Fault> = { readonly fault: Fault; skip: number; times: number };

export interface Faults {
  /** Throws `ZodError` if the rule is invalid. */
  add(rule: FaultRule): void;
  clear(): void;
  forRequest(request: { readonly route: string; readonly crew: string }): RequestFault | undefined;
  forWebhook(webhook: { readonly kind: string; readonly crew: string }): WebhookFault | undefined;
}

export function createFaults(): Faults {
  let requests: Armed<RequestFault>[] = [];
  let webhooks: Armed<WebhookFault>[] = [];
  return {
    add(rule) {
      if ('route' in rule) requests.push(armed(requestFault.parse(rule)));
      else webhooks.push(armed(webhookFault.parse(rule)));
    },
    clear() {
      requests = [];
      webhooks = [];
    },
    forRequest: ({ route, crew }) => take(requests, (one) => one.route === route && (one.crew ?? crew) === crew),
    forWebhook: ({ kind, crew }) => take(webhooks, (one) => one.webhook === kind && (one.crew ?? crew) === crew),
  };
}

function armed<Fault extends { skip: number; times: number }>(fault: Fault): Armed<Fault> {
  return { fault, skip: fault.skip, times: fault.times };
}

/** The first matching rule that is not used up. Every other matching rule still counts the match towards `skip`. */
function take<Fault>(rules: Armed<Fault>[], matches: (fault: Fault) => boolean): Fault | undefined {
  let match: Fault | undefined;
  for (const rule of rules) {
    if (rule.times === 0 || !matches(rule.fault)) continue;
    if (rule.skip > 0) rule.skip--;
    else if (match === undefined) {
      rule.times--;
      match = rule.fault;
    }
  }
  return match;
}
