import { z } from 'zod';
import type { Json } from '../json.ts';

const which = {
  crew: z.string().optional(),
  /** How many matching ones pass before the fault begins: 0 means that it hits the next one. */
  skip: z.number().int().nonnegative().default(0),
  /** How many it hits then. */
  times: z.number().int().positive().default(1),
};

const answer = z.object({
  status: z.number().int().min(200).max(599),
  headers: z.record(z.string(), z.string()).default({}),
  body: z
    .custom<Json>((value) => value !== undefined)
    .default({ error: 'fault', message: 'A fault that a test asked for.' }),
});

const requestFault = z
  .strictObject({
    route: z.enum(['inputs', 'kickoff', 'status', 'resume', 'executions']),
    ...which,
    /** Whether the request takes effect. Left out: it does unless `respond` says something else than 'normally'. */
    apply: z.boolean().optional(),
    /** Waited before anything else happens. */
    delayMs: z.number().nonnegative().default(0),
    /** Waited for, after the delay, until this gate is open. */
    gate: z.string().optional(),
    /**
     * Awaited once the request has taken effect, or hasn't, and before it is answered: there a test ends the process that
     * asked. Only in the process of the service.
     */
    meanwhile: z.custom<() => Promise<void>>((value) => typeof value === 'function').optional(),
    /** 'silence' never answers, 'disconnect' breaks the connection. */
    respond: z.union([z.enum(['normally', 'silence', 'disconnect']), answer]).default('normally'),
  })
  .refine(
    (fault) =>
      fault.respond === 'normally' ||
      typeof fault.respond === 'string' ||
      !promisesNothing(fault.respond.status) ||
      fault.apply !== true,
    {
      error: 'a request that is answered with 429 or 503 is never applied',
    },
  )
  .transform((fault) => ({ ...fault, apply: fault.apply ?? fault.respond === 'normally' }));

const webhookFault = z.strictObject({
  webhook: z.enum(['human-input', 'task', 'step', 'crew']),
  ...which,
  /** 'drop' loses it; 'swap' holds it back until the execution's next notification has been sent. */
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

/** A fault as a test writes it; everything but what it is about has a default. */
export type FaultRule = z.input<typeof requestFault> | z.input<typeof webhookFault>;

/** 429 and 503 promise the client that nothing happened, so that it may send again. */
function promisesNothing(status: number): boolean {
  return status === 429 || status === 503;
}

type Armed<Fault> = { readonly fault: Fault; skip: number; times: number };

/** The faults that were asked for and have not all happened yet. */
export interface Faults {
  /** Throws `ZodError` where the rule makes no sense. */
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

/** The first rule that matches and is not used up; rules that only count down count every match. */
function take<Fault>(rules: Armed<Fault>[], matches: (fault: Fault) => boolean): Fault | undefined {
  let taken: Fault | undefined;
  for (const rule of rules) {
    if (rule.times === 0 || !matches(rule.fault)) continue;
    if (rule.skip > 0) rule.skip--;
    else if (taken === undefined) {
      rule.times--;
      taken = rule.fault;
    }
  }
  return taken;
}
