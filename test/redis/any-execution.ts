import fc from 'fast-check';
import { type Execution, RECORD_VERSION } from '../../src/core/state/execution.ts';
import { type Post, RENDERINGS } from '../../src/core/state/post.ts';
import type { Discussion, HumanRequest, Question, RequestState } from '../../src/core/state/request.ts';

/** What may be in a text: half characters, NUL, quotes, and the names of things that every object has. */
const text = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom('', '__proto__', 'constructor', '"', '\\', '\0', ':', '\ud83d', '👍', 'k1', '1'),
);
/** Once Node.js 24 has read a key with a backslash, it may take other escaped keys for it: https://github.com/nodejs/node/issues/63785 */
const key = text.filter((each) => !each.includes('\\'));
const json = fc.jsonValue({ stringUnit: fc.string({ minLength: 1, maxLength: 1 }).filter((unit) => unit !== '\\') });
const number = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const instant = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1e12, max: 2e12 }) },
  { weight: 1, arbitrary: number },
);
const hex = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
  .map((all) => all.join(''));
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });
const few = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.array(arbitrary, { maxLength: 2 });
const is = <const Word extends string>(...words: Word[]) => fc.constantFrom(...words);

const serviceId = fc.oneof(is('k1', 'k2'), text);
const person = fc.record({ id: text, name: text });
const output = fc.record({ hash: fc.oneof(hex, text), length: fc.nat() });
const claimed = { claim: maybe(fc.record({ by: text, checkAt: instant })), until: instant };
const due = { tries: fc.nat(3), notBefore: instant };
const delayedBy = maybe(is('unreachable', 'busy'));
const refusal = is(
  'bad-request',
  'unauthorized',
  'user-token-refused',
  'no-user-token',
  'not-found',
  'missing-inputs',
  'quota',
  'unreachable',
  'busy',
  'other',
);

const post: fc.Arbitrary<Post> = fc.oneof(
  fc.record({ status: is('due', 'unsure'), ...due }),
  fc.record({
    ...{ status: is('posting'), tries: fc.nat(3), attempt: fc.nat(3), mayExist: fc.boolean() },
    told: maybe(fc.record({ ts: text, shown: text })),
    ...claimed,
  }),
  fc.record({ status: is('posted'), ts: text, shown: text, ...due }),
  fc.record({ status: is('gone'), ts: maybe(text) }),
);

const messageName = fc.oneof(
  is('root', 'ending', 'follow-up'),
  fc
    .tuple(
      is('card', 'file', 'follow-up', 'task', 'notice'),
      key.filter((id) => !id.includes(':')),
    )
    .map(([kind, id]) => `${kind}:${id}`),
  fc
    .tuple(
      is('copy', 'alert', 'direct'),
      is('1', '2'),
      key.filter((part) => !part.includes(':')),
    )
    .map((parts) => parts.join(':')),
);

const alertKind = is('reminder', 'escalation', 'ask', 'stage', 'undecidable', 'decidable', 'edited');

const directMessages = few(
  fc.record({ to: text, reason: is('policy', 'handed-over', 'setting', 'outside'), channel: fc.option(text) }),
);

const signIn = fc.record({ issuer: text, subject: text, at: instant, acr: maybe(text) });
const vote = { by: person, at: instant, feedback: maybe(text) };
const counted = fc.record({ ...vote, rule: text, seat: text, outcome: text });
const under = few(
  fc.oneof(fc.record({ place: text }), fc.record({ place: text, for: person, rule: text, seat: text })),
);
const votes = few(
  fc.oneof(
    fc.record(vote),
    fc.record({ ...vote, for: person }),
    fc.record({ ...vote, signIn }),
    counted,
    fc.record({ ...vote, under }),
  ),
);
const handOver = { to: person, by: person, at: instant, until: fc.option(instant) };
const question: fc.Arbitrary<Question> = fc.record({
  taskId: text,
  taskName: maybe(text),
  isTitled: fc.boolean(),
  round: fc.nat(3),
  output,
  edited: maybe(fc.record({ by: person, at: instant, of: output })),
  heading: text,
  fields: maybe(
    few(
      fc.record({
        name: text,
        label: text,
        type: is('text', 'choice', 'number'),
        options: few(text),
        default: fc.constant(null),
        help: maybe(text),
        min: maybe(fc.nat(3)),
        max: maybe(fc.nat(3)),
      }),
    ),
  ),
  why: maybe(text),
  outcomes: maybe(few(text)),
  destination: maybe(
    fc.oneof(fc.record({ kind: is('flow', 'callback'), sealedUrl: text }), fc.record({ kind: is('poll') })),
  ),
  limitMs: maybe(fc.nat(3)),
  requestId: maybe(text),
  inputs: maybe(fc.dictionary(key, text, { maxKeys: 3 })),
  hop: fc.nat(3),
  kickoffId: maybe(serviceId),
  askedAt: instant,
  repeatsRound: maybe(fc.nat(3)),
  isConfirmedRepeat: fc.boolean(),
  keepsText: fc.boolean(),
});
const discussion: fc.Arbitrary<Discussion> = fc.record({
  votes,
  stages: few(fc.record({ key: text, name: text, at: instant, votes })),
  handedOver: few(fc.record(handOver)),
  takenBack: fc.nat(3),
  retractions: few(fc.record({ kind: is('vote', 'decision'), by: person, of: person, text: maybe(text), at: instant })),
  mentioned: maybe(few(text)),
  directMessages: fc.oneof(
    fc.record({ status: is('due'), ...due, list: directMessages }),
    fc.record({ status: is('listed'), list: directMessages }),
  ),
  untold: fc.nat(3),
  alerts: few(
    fc.record({
      id: text,
      kind: alertKind,
      by: maybe(person),
      mentions: few(text),
    }),
  ),
  times: fc.record({
    rules: text,
    countedFrom: maybe(instant),
    remindAt: maybe(instant),
    reminders: fc.nat(3),
    escalateAt: maybe(instant),
    escalations: few(fc.record({ rules: text, at: instant })),
    expireAt: maybe(instant),
    lookAt: maybe(instant),
    askedAgainAt: maybe(instant),
  }),
  judging: maybe(fc.record({ tries: fc.nat(3), notBefore: instant })),
  undecidable: maybe(
    fc.record({
      ...{ since: instant, isLeftToNobody: fc.boolean(), isReported: fc.boolean() },
      shortages: few(
        fc.record({
          ...{ place: text, stage: maybe(text), isOpen: fc.boolean(), needed: fc.nat(3), untilEscalated: fc.boolean() },
          lack: is('nobody', 'seat', 'people', 'stages', 'escalation'),
          why: is('inactive', 'starter', 'voted'),
          approvers: few(text),
          left: few(text),
        }),
      ),
    }),
  ),
});
const verdict = {
  verdict: is('approve', 'reject', 'decline'),
  feedback: maybe(text),
  text: maybe(text),
  by: maybe(person),
  at: instant,
  ownTokenOnly: fc.boolean(),
};
const decision = fc.oneof(
  fc.record(verdict),
  fc.record({ ...verdict, for: person }),
  fc.record({ ...verdict, signIn, outcome: text }),
);
const sentDecision = fc.record({ ...verdict, text });
const sent = {
  decision,
  attempts: few(fc.record({ number: fc.nat(3), hop: fc.nat(3), mayHaveArrived: fc.boolean() })),
};
const failure = fc.oneof(
  fc.record({ kind: is('refused'), code: refusal, status: fc.nat(), detail: text }),
  fc.record({ kind: is('not-confirmed') }),
);
const superseding = is('newer-round', 'ended', 'unfollowed', 'declined', 'elsewhere', 'cancelled', 'replaced');
const proof = is('accepted', 'evidence');
const state: fc.Arbitrary<RequestState> = fc.oneof(
  fc.record({ status: is('pending') }),
  fc.record({
    ...sent,
    status: is('decided'),
    tries: fc.nat(3),
    delayedBy,
    giveUpAt: maybe(instant),
    sendAt: instant,
    undoUntil: maybe(instant),
  }),
  fc.record({
    ...sent,
    decision: sentDecision,
    status: is('sending'),
    tries: fc.nat(3),
    delayedBy,
    giveUpAt: maybe(instant),
    ...claimed,
  }),
  fc.record({ decision, status: is('delivered'), proof, resumedAs: maybe(serviceId), deliveredAt: instant }),
  fc.record({ ...sent, status: is('failed'), failure, failedAt: instant }),
  fc.record({ status: is('superseded'), decision: maybe(decision), by: superseding, supersededAt: instant }),
  fc.record({ status: is('declined'), decision, declinedAt: instant }),
  fc.record({ status: is('expired'), expiredAt: instant }),
);
const request: fc.Arbitrary<HumanRequest> = fc.record({ id: text, question, state, discussion });

const run: fc.Arbitrary<Execution['run']> = fc.oneof(
  fc.record({ status: is('starting', 'running', 'waiting') }),
  fc.record({ status: is('completed'), result: maybe(output), endedAt: instant }),
  fc.record({ status: is('failed'), error: text, endedAt: instant }),
  fc.record({ status: is('lost'), lostAt: instant }),
  fc.record({
    status: is('not-started'),
    refusal: fc.record({ code: refusal, detail: text, missing: few(text) }),
    endedAt: instant,
  }),
  fc.record({
    status: is('not-confirmed'),
    doubt: is('no-answer', 'server-error', 'no-id', 'interrupted'),
    since: instant,
  }),
);
const origin: fc.Arbitrary<Execution['origin']> = fc.oneof(
  fc.record({ kind: is('form'), by: person, form: fc.record({ viewId: text, attempt: fc.nat(3) }) }),
  fc.record({ kind: is('command'), by: person }),
  fc.record({
    kind: is('ask'),
    asker: fc.oneof(fc.record({ kind: is('program'), name: text }), fc.record({ kind: is('workflow') })),
    by: maybe(person),
    approvalId: maybe(text),
    heardAt: maybe(instant),
    thread: maybe(
      fc.record({
        name: text,
        replaces: maybe(text),
        before: maybe(fc.record({ round: fc.nat(3), text: output, rejection: maybe(decision) })),
        place: fc.oneof(
          fc.record({ status: is('sought'), ...due }),
          fc.record({ status: is('begins') }),
          fc.record({ status: is('follows'), ts: text }),
        ),
      }),
    ),
  }),
  fc.record({ kind: is('step'), by: maybe(person) }),
  fc.record({ kind: is('elsewhere'), adoptionHold: maybe(fc.record({ until: instant, checkAt: instant })) }),
);

const execution = fc.record({
  version: fc.constant(RECORD_VERSION),
  ref: text,
  crew: text,
  channel: text,
  origin,
  inputs: fc.dictionary(key, json, { maxKeys: 3 }),
  createdAt: instant,
  run,
  kickoff: fc.oneof(
    fc.record({ status: is('due'), delayedBy, ...due }),
    fc.record({ status: is('sending'), tries: fc.nat(3), delayedBy, ...claimed }),
    fc.record({ status: is('settled') }),
  ),
  kickoffIds: few(serviceId),
  executionId: maybe(serviceId),
  hop: fc.nat(3),
  requests: few(request),
  possibleRepeats: few(
    fc.record({
      ...{ hop: fc.nat(3), kickoffId: maybe(text), taskId: text, taskName: maybe(text), output, heading: text },
      ...{ executionId: maybe(text), attachesFile: fc.boolean(), heardAt: instant },
      due: maybe(fc.record({ at: instant, isConfirmed: fc.boolean() })),
    }),
  ),
  taskNames: few(fc.record({ taskId: text, name: text })),
  tasks: few(
    fc.record({
      id: text,
      name: maybe(text),
      agent: maybe(text),
      summary: text,
      output: maybe(output),
      fingerprint: text,
    }),
  ),
  progress: fc.record({ completed: fc.nat(), total: maybe(fc.nat()), current: maybe(text) }),
  activity: fc.record({ seen: fc.nat(), refreshAt: maybe(instant) }),
  poll: fc.record({
    nextAt: maybe(instant),
    count: fc.nat(),
    notFoundSince: maybe(instant),
    waitingUnseen: fc.nat(),
    unpaused: fc.nat(),
    trouble: maybe(is('unauthorized', 'unreachable', 'busy', 'error')),
  }),
  messages: fc.dictionary(
    messageName,
    fc.oneof(fc.record({ post }), fc.record({ post, rendering: is(...RENDERINGS) })),
    { maxKeys: 4 },
  ),
  notices: few(
    fc.record({
      id: text,
      to: text,
      about: fc.oneof(
        fc.record({ kind: is('alert'), approvalId: text, alert: alertKind, by: maybe(person) }),
        fc.record({ kind: is('unsent'), approvalId: text }),
        fc.record({ kind: is('ended') }),
      ),
    }),
  ),
  workflowSteps: few(
    fc.record({
      id: text,
      workflow: maybe(text),
      awaits: is('start', 'end', 'decision'),
      completion: fc.oneof(
        fc.record({ status: is('due'), ...due }),
        fc.record({ status: is('sending'), tries: fc.nat(3), ...claimed }),
        fc.record({ status: is('not-confirmed'), tries: fc.nat(3) }),
        fc.record({ status: is('settled'), as: is('taken', 'over', 'refused') }),
      ),
    }),
  ),
  privateAnswers: few(
    fc.record({
      to: text,
      channel: text,
      threadTs: maybe(text),
      text,
      next: fc.oneof(
        fc.record({ kind: is('none') }),
        fc.record({ kind: is('ask'), ref: text, approvalId: text }),
        fc.record({ kind: is('withdraw'), ref: text, approvalId: text, hash: text }),
        fc.record({ kind: is('connect'), crew: text }),
      ),
      tries: fc.nat(3),
      notBefore: instant,
      until: instant,
    }),
  ),
  starterNotice: fc.oneof(fc.record({ status: is('none', 'told') }), fc.record({ status: is('due'), ...due })),
  unfollowed: maybe(fc.record({ by: person, at: instant })),
  missingCrew: maybe(fc.record({ since: instant, checkAt: instant })),
  expiry: maybe(fc.record({ at: instant, isTold: fc.boolean() })),
  ledger: fc.record({ seq: fc.nat(), hash: fc.oneof(is(''), hex), at: fc.nat(), asked: fc.nat() }),
  limitsMet: few(fc.constantFrom('open-requests', 'rounds', 'requests', 'texts')),
  ledgerEvents: fc.constant([]),
});

/** Any execution that can be stored, also one that no sequence of events leads to, as it comes out of JSON. */
export const anyExecution = execution.map((each): Execution => JSON.parse(JSON.stringify(each)));
