import {
  type CompletedTask,
  type Execution,
  type Limit,
  type NextStep,
  type Poll,
  type PrivateAnswer,
  type Progress,
  RECORD_VERSION,
  type TaskName,
} from '../../../core/execution/execution.ts';
import type { Json } from '../../../core/json.ts';
import { type LedgerHead, NO_ENTRIES } from '../../../core/ledger/entry.ts';
import type { Rendering } from '../../../core/messages/post.ts';
import { approval } from './approval.ts';
import {
  asList,
  asNumber,
  asObject,
  asText,
  type Codec,
  flag,
  list,
  nullable,
  number,
  record,
  text,
  word,
} from './codec.ts';
import { type Fields, field, object, union } from './fields.ts';
import { post } from './post.ts';
import { kickoff, origin, run, starterNotice } from './run.ts';
import { hash, instant, output, person, serviceId } from './values.ts';

type Unfollowed = NonNullable<Execution['unfollowed']>;
type MissingCrew = NonNullable<Execution['missingCrew']>;
type Expiry = NonNullable<Execution['expiry']>;

const task = object<CompletedTask>({
  id: field('id', text, '1'),
  name: field('tn', nullable(text), null),
  agent: field('a', nullable(text), null),
  summary: field('su', text, ''),
  output: field('o', nullable(output), null),
  fingerprint: field('fp', text),
  post: field('p', post),
});

const taskName = object<TaskName>({ taskId: field('id', text), name: field('n', text) });

const progress = object<Progress>({
  completed: field('n', number, 0),
  total: field('of', nullable(number), null),
  current: field('tn', nullable(text), null),
});

const activity = object<Execution['activity']>({
  seen: field('n', number, 0),
  refreshAt: field('at', nullable(instant), null),
});

const poll = object<Poll>({
  nextAt: field('at', nullable(instant), null),
  count: field('n', number, 0),
  notFoundSince: field('nf', nullable(instant), null),
  waitingUnseen: field('wu', number, 0),
  trouble: field('tr', nullable(word<NonNullable<Poll['trouble']>>()), null),
});

const nextStep = union<NextStep, 'kind'>(
  'kind',
  { name: 's', usual: 'none' },
  { none: {}, ask: { ref: field('r', text), approvalId: field('id', text) }, connect: { crew: field('c', text) } },
);

const privateAnswer = object<PrivateAnswer>({
  to: field('to', text),
  channel: field('ch', text),
  threadTs: field('ts', nullable(text), null),
  text: field('t', text),
  next: field('nx', nextStep, {}),
  tries: field('n', number, 0),
  notBefore: field('nb', instant),
  until: field('un', instant),
});

/** Always the version of this code: others are upgraded before they are decoded. */
const version: Codec<Execution['version']> = { encode: () => RECORD_VERSION, decode: () => RECORD_VERSION };

/** Left out, since the key of a record has it. */
const ref: Codec<string> = { encode: () => null, decode: (_, base) => base.ref };

/** Written to the ledger instead. */
const ledgerEvents: Codec<Execution['ledgerEvents']> = { encode: () => null, decode: () => [] };

/** As `[seq, hash, at, asked]`; `{}` before the first entry. Earlier versions wrote `{n, h}`. */
const ledger: Codec<LedgerHead> = {
  encode({ seq, hash: last, at, asked }, base) {
    const isEmpty = seq === 0 && last === '' && at === 0 && asked === 0;
    return isEmpty ? {} : [seq, hash.encode(last, base), instant.encode(at, base), asked];
  },
  decode(stored, base) {
    if (!Array.isArray(stored)) {
      const { n = 0, h = '' } = asObject(stored);
      return { ...NO_ENTRIES, seq: asNumber(n), hash: hash.decode(h, base) };
    }
    const [seq, last, at, asked] = asList(stored);
    const head = { seq: asNumber(seq), hash: hash.decode(last ?? '', base), asked: asNumber(asked) };
    return { ...head, at: instant.decode(at ?? 0, base) };
  },
};

const FIELDS: Fields<Execution> = {
  version: field('version', version),
  ref: field('ref', ref, null),
  crew: field('crew', text),
  channel: field('ch', text),
  createdAt: field('at', number),
  kickoffIds: field('k', list(text), []),
  executionId: field('e', serviceId, 0),
  origin: field('or', origin),
  inputs: field('in', record<Json>(), {}),
  run: field('run', run, {}),
  kickoff: field('ko', kickoff, {}),
  hop: field('h', number, 0),
  approvals: field('ap', list(approval), []),
  tasks: field('ta', list(task), []),
  taskNames: field('tk', list(taskName), []),
  progress: field('pr', progress, {}),
  activity: field('ac', activity, {}),
  poll: field('po', poll, {}),
  root: field('ro', post),
  followUp: field('fu', nullable(post), null),
  ending: field('en', nullable(post), null),
  renderings: field('re', record<Rendering>(), {}),
  privateAnswers: field('pa', list(privateAnswer), []),
  starterNotice: field('sn', starterNotice, {}),
  unfollowed: field('uf', nullable(object<Unfollowed>({ by: field('by', person), at: field('at', instant) })), null),
  missingCrew: field(
    'mc',
    nullable(object<MissingCrew>({ since: field('at', instant), checkAt: field('ck', instant) })),
    null,
  ),
  expiry: field('xp', nullable(object<Expiry>({ at: field('at', instant), isTold: field('s', flag, false) })), null),
  limitsMet: field('lm', list(word<Limit>()), []),
  ledger: field('le', ledger, {}),
  ledgerEvents: field('ledgerEvents', ledgerEvents, null),
};

const execution = object<Execution>(FIELDS);

/** The execution as a small JSON object. src/README.md tells how to read one. */
export function encodeExecution(value: Execution): Record<string, Json> {
  return execution.encode(value, value);
}

/** @throws {TypeError} with the names of the fields that lead to what is broken */
export function decodeExecution(ownRef: string, stored: Readonly<Record<string, unknown>>): Execution {
  const { createdAt, kickoffIds } = FIELDS;
  return execution.decode(stored, {
    ref: ownRef,
    createdAt: asNumber(stored[createdAt.name]),
    kickoffIds: asList(stored[kickoffIds.name] ?? []).map(asText),
  });
}
