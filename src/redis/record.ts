import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { claimableAt, dueAt, LEFT_MS } from '../core/due-actions.ts';
import { type Execution, RECORD_VERSION } from '../core/state/execution.ts';
import { MESSAGE_KEY } from '../core/state/message.ts';
import { RENDERINGS } from '../core/state/post.ts';
import { INPUT_TYPES } from '../core/values/input-field.ts';
import { type Inputs, type Json, parseJson } from '../core/values/json.ts';
import type { Millis } from '../core/values/time.ts';

// The record of an execution: plain JSON with the fields of the core's own types, as `redis-cli HGET <key> record | jq` shows it.
// Instants are milliseconds since 1970. A field that is null, or has the value that most records have, is left out. This schema alone
// says what is written and read: the compiler holds it to the types, in both directions.

const text = z.string();
const number = z.number();
const instant = z.number();
const flag = z.boolean();

/** A nullable field: null is left out of the stored record. */
function orNull<Schema extends z.ZodType>(schema: Schema) {
  return leftOut<Schema, null>(schema, () => null);
}

/** A field that is left out of the stored record while it has its usual value. */
function usually<Schema extends z.ZodType>(schema: Schema, usual: () => z.output<Schema>) {
  return leftOut<Schema, z.output<Schema>>(schema, usual);
}

function leftOut<Schema extends z.ZodType, Usual>(schema: Schema, usual: () => Usual) {
  type Value = z.output<Schema> | Usual;
  const example = usual();
  return z.codec(schema.optional(), z.any() as z.ZodType<Value, Value>, {
    decode: (stored): Value => (stored === undefined ? usual() : stored) as Value,
    encode: (value) =>
      (value === example || isDeepStrictEqual(value, example) ? undefined : value) as z.output<Schema> | undefined,
  });
}

const list = <Schema extends z.ZodType>(schema: Schema) => usually(z.array(schema), () => []);
const readonlyList = <Schema extends z.ZodType>(schema: Schema) => usually(z.array(schema).readonly(), () => []);
const counter = usually(z.number(), () => 0);
const rareFlag = usually(z.boolean(), () => false);

/** Foreign JSON, taken as it is: a name in it may be one that every object has. */
const inputs = z.custom<Inputs>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));

const person = z.object({ id: text, name: text });
const output = z.object({ hash: text, length: number });

const claimed = { claim: orNull(z.object({ by: text, checkAt: instant })), until: instant };
const due = { tries: counter, notBefore: instant };

const slackPost = z.object({ ts: text, shown: text });

const post = z.discriminatedUnion('status', [
  z.object({ status: z.literal('due'), ...due }),
  z.object({
    status: z.literal('posting'),
    tries: counter,
    attempt: number,
    mayExist: flag,
    told: orNull(slackPost),
    ...claimed,
  }),
  z.object({ status: z.literal('unsure'), ...due }),
  z.object({ status: z.literal('posted'), ts: text, shown: text, ...due }),
  z.object({ status: z.literal('gone'), ts: orNull(text) }),
]);

const messageName = text.regex(MESSAGE_KEY);

const unavailability = z.enum(['unreachable', 'busy']);

const delayedBy = orNull(unavailability);

const crewRefusal = z.enum([
  'bad-request',
  'unauthorized',
  'user-token-refused',
  'no-user-token',
  'not-found',
  'missing-inputs',
  'quota',
  ...unavailability.options,
  'other',
]);

const signIn = z.object({ issuer: text, subject: text, at: instant, acr: orNull(text) }).optional();

const answer = z
  .record(text, z.union([text, number]))
  .readonly()
  .optional();

const decision = z.object({
  verdict: z.enum(['approve', 'reject', 'decline']),
  outcome: text.optional(),
  answer,
  feedback: orNull(text),
  text: orNull(text),
  by: orNull(person),
  for: person.optional(),
  signIn,
  at: instant,
  ownTokenOnly: rareFlag,
});

const alertKind = z.enum(['reminder', 'escalation', 'ask', 'stage', 'undecidable', 'decidable', 'edited']);

const vote = z.object({
  by: person,
  for: person.optional(),
  signIn,
  at: instant,
  feedback: orNull(text),
  outcome: text.optional(),
  answer,
  rule: text.optional(),
  seat: text.optional(),
  under: z
    .array(z.object({ place: text, for: person.optional(), rule: text.optional(), seat: text.optional() }))
    .readonly()
    .optional(),
});

const directMessages = z
  .array(
    z.object({
      to: text,
      reason: z.enum(['policy', 'handed-over', 'setting', 'outside']),
      channel: orNull(text),
    }),
  )
  .readonly();

const shortage = z.object({
  place: text,
  stage: orNull(text),
  isOpen: flag,
  lack: z.enum(['nobody', 'seat', 'people', 'stages', 'escalation']),
  why: z.enum(['inactive', 'starter', 'voted']),
  approvers: z.array(text).readonly(),
  needed: number,
  left: z.array(text).readonly(),
  untilEscalated: flag,
});

const field = z.object({
  name: text,
  label: text,
  type: z.enum(INPUT_TYPES),
  options: z.array(z.custom<Json>()),
  default: orNull(z.custom<Json>()),
  help: orNull(text),
  min: orNull(number),
  max: orNull(number),
  isOptional: z.literal(true).optional(),
});

const question = z.object({
  taskId: text,
  taskName: orNull(text),
  isTitled: rareFlag,
  round: number,
  output,
  edited: orNull(z.object({ by: person, at: instant, of: output })),
  heading: text,
  fields: orNull(z.array(field).readonly()),
  why: orNull(text),
  outcomes: orNull(z.array(text).readonly()),
  destination: orNull(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.enum(['flow', 'callback']), sealedUrl: text }),
      z.object({ kind: z.literal('poll') }),
    ]),
  ),
  limitMs: orNull(number),
  requestId: orNull(text),
  inputs: orNull(inputs),
  hop: counter,
  kickoffId: orNull(text),
  askedAt: instant,
  repeatsRound: orNull(number),
  isConfirmedRepeat: rareFlag,
  keepsText: rareFlag,
});

const discussion = z.object({
  votes: list(vote),
  stages: readonlyList(z.object({ key: text, name: text, at: instant, votes: z.array(vote).readonly() })),
  takenBack: counter,
  retractions: list(
    z.object({ kind: z.enum(['vote', 'decision', 'lost']), by: person, of: person, text: orNull(text), at: instant }),
  ),
  handedOver: list(z.object({ to: person, by: person, at: instant, until: orNull(instant) })),
  alerts: list(
    z.object({
      id: text,
      kind: alertKind,
      by: orNull(person),
      mentions: z.array(text),
    }),
  ),
  mentioned: orNull(z.array(text).readonly()),
  directMessages: usually(
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('due'), ...due, list: directMessages }),
      z.object({ status: z.literal('listed'), list: directMessages }),
    ]),
    () => ({ status: 'listed' as const, list: [] }),
  ),
  untold: counter,
  times: z.object({
    rules: text,
    countedFrom: orNull(instant),
    remindAt: orNull(instant),
    reminders: counter,
    escalateAt: orNull(instant),
    escalations: readonlyList(z.object({ rules: text, at: instant })),
    expireAt: orNull(instant),
    lookAt: orNull(instant),
    askedAgainAt: orNull(instant),
  }),
  judging: orNull(z.object({ tries: counter, notBefore: instant })),
  undecidable: orNull(
    z.object({ since: instant, shortages: z.array(shortage).readonly(), isLeftToNobody: flag, isReported: flag }),
  ),
});

const decided = {
  decision,
  attempts: list(z.object({ number, hop: number, mayHaveArrived: flag })),
};

const failure = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('refused'), code: crewRefusal, status: number, detail: text }),
  z.object({ kind: z.literal('not-confirmed') }),
]);

const requestState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('pending') }),
  z.object({
    status: z.literal('decided'),
    ...decided,
    tries: counter,
    delayedBy,
    giveUpAt: orNull(instant),
    sendAt: instant,
    undoUntil: orNull(instant),
  }),
  z.object({
    status: z.literal('sending'),
    ...decided,
    decision: decision.extend({ text }),
    tries: counter,
    delayedBy,
    giveUpAt: orNull(instant),
    ...claimed,
  }),
  z.object({
    status: z.literal('delivered'),
    decision,
    proof: z.enum(['accepted', 'evidence']),
    resumedAs: orNull(text),
    deliveredAt: instant,
  }),
  z.object({ status: z.literal('failed'), ...decided, failure, failedAt: instant }),
  z.object({
    status: z.literal('superseded'),
    decision: orNull(decision),
    by: z.enum(['newer-round', 'ended', 'unfollowed', 'declined', 'elsewhere', 'cancelled', 'replaced']),
    supersededAt: instant,
  }),
  z.object({ status: z.literal('declined'), decision, declinedAt: instant }),
  z.object({ status: z.literal('expired'), expiredAt: instant }),
]);

const origin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('form'), by: person, form: z.object({ viewId: text, attempt: number }) }),
  z.object({ kind: z.literal('command'), by: person }),
  z.object({
    kind: z.literal('ask'),
    asker: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('program'), name: text }),
      z.object({ kind: z.literal('workflow') }),
    ]),
    by: orNull(person),
    approvalId: orNull(text),
    heardAt: orNull(instant),
    thread: orNull(
      z.object({
        name: text,
        replaces: orNull(text),
        before: orNull(z.object({ round: number, text: output, rejection: orNull(decision) })),
        place: z.discriminatedUnion('status', [
          z.object({ status: z.literal('sought'), ...due }),
          z.object({ status: z.literal('begins') }),
          z.object({ status: z.literal('follows'), ts: text }),
        ]),
      }),
    ),
  }),
  z.object({ kind: z.literal('step'), by: orNull(person) }),
  z.object({
    kind: z.literal('elsewhere'),
    adoptionHold: orNull(z.object({ until: instant, checkAt: instant })),
  }),
]);

const run = z.discriminatedUnion('status', [
  z.object({ status: z.literal('starting') }),
  z.object({ status: z.literal('running') }),
  z.object({ status: z.literal('waiting') }),
  z.object({ status: z.literal('completed'), result: orNull(output), endedAt: instant }),
  z.object({ status: z.literal('failed'), error: text, endedAt: instant }),
  z.object({ status: z.literal('lost'), lostAt: instant }),
  z.object({
    status: z.literal('not-started'),
    refusal: z.object({ code: crewRefusal, detail: text, missing: z.array(text) }),
    endedAt: instant,
  }),
  z.object({
    status: z.literal('not-confirmed'),
    doubt: z.enum(['no-answer', 'server-error', 'no-id', 'interrupted']),
    since: instant,
  }),
]);

const privateAnswer = z.object({
  to: text,
  channel: text,
  threadTs: orNull(text),
  text,
  next: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('ask'), ref: text, approvalId: text }),
    z.object({ kind: z.literal('withdraw'), ref: text, approvalId: text, hash: text }),
    z.object({ kind: z.literal('connect'), crew: text }),
  ]),
  ...due,
  until: instant,
});

const RECORD = z.object({
  version: z.literal(RECORD_VERSION),
  ref: text,
  crew: text,
  channel: text,
  origin,
  inputs,
  createdAt: instant,
  run,
  kickoff: usually(
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('due'), delayedBy, ...due }),
      z.object({ status: z.literal('sending'), tries: counter, delayedBy, ...claimed }),
      z.object({ status: z.literal('settled') }),
    ]),
    () => ({ status: 'settled' as const }),
  ),
  kickoffIds: list(text),
  executionId: orNull(text),
  hop: counter,
  requests: z.array(z.object({ id: text, question, state: requestState, discussion })),
  possibleRepeats: readonlyList(
    z.object({
      hop: number,
      kickoffId: orNull(text),
      taskId: text,
      taskName: orNull(text),
      output,
      heading: text,
      executionId: orNull(text),
      attachesFile: flag,
      heardAt: instant,
      due: orNull(z.object({ at: instant, isConfirmed: flag })),
    }),
  ),
  tasks: list(
    z.object({
      id: text,
      name: orNull(text),
      agent: orNull(text),
      summary: text,
      output: orNull(output),
      fingerprint: text,
    }),
  ),
  taskNames: readonlyList(z.object({ taskId: text, name: text })),
  progress: usually(z.object({ completed: counter, total: orNull(number), current: orNull(text) }), () => ({
    completed: 0,
    total: null,
    current: null,
  })),
  activity: usually(z.object({ seen: counter, refreshAt: orNull(instant) }), () => ({ seen: 0, refreshAt: null })),
  poll: z.object({
    nextAt: orNull(instant),
    count: counter,
    notFoundSince: orNull(instant),
    waitingUnseen: counter,
    unpaused: counter,
    trouble: orNull(z.enum(['unauthorized', ...unavailability.options, 'error'])),
  }),
  messages: z.record(messageName, z.object({ post, rendering: z.enum(RENDERINGS).optional() })).readonly(),
  privateAnswers: list(privateAnswer),
  starterNotice: usually(
    z.discriminatedUnion('status', [
      z.object({ status: z.literal('none') }),
      z.object({ status: z.literal('due'), ...due }),
      z.object({ status: z.literal('told') }),
    ]),
    () => ({ status: 'none' as const }),
  ),
  notices: readonlyList(
    z.object({
      id: text,
      to: text,
      about: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('alert'), approvalId: text, alert: alertKind, by: orNull(person) }),
        z.object({ kind: z.literal('unsent'), approvalId: text }),
        z.object({ kind: z.literal('ended') }),
      ]),
    }),
  ),
  workflowSteps: readonlyList(
    z.object({
      id: text,
      workflow: orNull(text),
      awaits: z.enum(['start', 'end', 'decision']),
      completion: z.discriminatedUnion('status', [
        z.object({ status: z.literal('due'), ...due }),
        z.object({ status: z.literal('sending'), tries: counter, ...claimed }),
        z.object({ status: z.literal('not-confirmed'), tries: counter }),
        z.object({ status: z.literal('settled'), as: z.enum(['taken', 'over', 'refused']) }),
      ]),
    }),
  ),
  unfollowed: orNull(z.object({ by: person, at: instant })),
  missingCrew: orNull(z.object({ since: instant, checkAt: instant })),
  expiry: orNull(z.object({ at: instant, isTold: flag })),
  limitsMet: readonlyList(z.enum(['open-requests', 'rounds', 'requests', 'texts'])),
  ledger: z.object({ seq: number, hash: text, at: instant, asked: number }),
});

/** A stored record that this version can't work with. All other executions go on. */
export class UnreadableRecord extends Error {
  override name = 'UnreadableRecord';
  readonly ref: string;

  constructor(ref: string, reason: string) {
    super(`The record of execution ${ref} can't be read: ${reason}`);
    this.ref = ref;
  }
}

/** Returns the stored text of a record. It has no `ledgerEvents`, which go to the ledger. */
export function writeRecord({ ledgerEvents: _, ...execution }: Execution): string {
  return JSON.stringify(z.encode(RECORD, execution));
}

/** @throws {UnreadableRecord} */
export function readRecord(ref: string, json: string): Execution {
  const stored = parseJson(json);
  if (typeof stored !== 'object' || stored === null) throw new UnreadableRecord(ref, 'it is not a JSON object');
  const version = 'version' in stored ? stored.version : undefined;
  if (typeof version !== 'number') throw new UnreadableRecord(ref, 'it has no version');
  if (version > RECORD_VERSION)
    throw new UnreadableRecord(ref, `version ${version} was written by a newer Signoff than this one`);
  const { data, error } = RECORD.safeParse(stored);
  if (error) {
    const [first] = error.issues;
    throw new UnreadableRecord(ref, `it is not a whole execution: ${first?.path.join('.')}: ${first?.message}`);
  }
  if (data.ref !== ref) throw new UnreadableRecord(ref, 'it is not the record of this execution');
  return { ...data, ledgerEvents: [] };
}

/** Reads a stored record; null if this version can't work with it. */
export function readableRecord(ref: string, json: string): Execution | null {
  try {
    return readRecord(ref, json);
  } catch (error) {
    if (error instanceof UnreadableRecord) return null;
    throw error;
  }
}

/** The longest time for which an action is left to one process. */
const MOST_LEFT_MS = Math.max(...LEFT_MS.values());

/**
 * Returns the time at which a stored execution is due, as `dueAt` computes it. With a head start, returns the time from which other
 * processes may claim it, as `claimableAt` computes it. What is due by the time of the last ledger entry is due at once: if Redis'
 * clock was set back, it may not reach that time for long.
 */
export function dueAtOf(
  execution: Execution,
  { now, headStartMs = 0 }: { now: Millis; headStartMs?: Millis },
): Millis | null {
  const from = now + headStartMs;
  const leftMs = headStartMs === 0 ? 0 : MOST_LEFT_MS;
  const at = headStartMs === 0 ? dueAt(execution) : claimableAt(execution, from);
  return at !== null && at - leftMs <= execution.ledger.at ? Math.min(at, from + leftMs) : at;
}
