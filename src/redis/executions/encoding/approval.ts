import type {
  Alert,
  Approval,
  Attempt,
  DirectMessage,
  DirectMessages,
  HandOver,
  ResumeFailure,
  Times,
  Vote,
} from '../../../core/approval/approval.ts';
import { type Codec, flag, list, nullable, number, optional, text, word } from './codec.ts';
import { type Fields, field, object, union } from './fields.ts';
import { post } from './post.ts';
import { CLAIMED, decision, instant, output, person, serviceId } from './values.ts';

type Pending = Extract<Approval, { status: 'pending' }>;

const vote = object<Vote>({
  by: field('by', person),
  for: field('fo', optional(person), null),
  at: field('at', instant),
  feedback: field('f', nullable(text), null),
});

const handOver = object<HandOver>({
  to: field('to', person),
  by: field('by', person),
  for: field('fo', optional(person), null),
  at: field('at', instant),
  until: field('u', nullable(instant), null),
});

const directMessage = object<DirectMessage>({
  to: field('to', text),
  reason: field('y', word(), 'policy'),
  channel: field('ch', nullable(text), null),
  post: field('p', post),
});

const directMessageList = field('l', list(directMessage), []);

const alert = object<Alert>({
  id: field('id', text),
  kind: field('s', word()),
  by: field('by', nullable(person), null),
  mentions: field('m', list(text), []),
  post: field('p', post),
});

const directMessages = union<DirectMessages, 'status'>(
  'status',
  { name: 's', usual: 'listed' },
  {
    due: { tries: field('n', number, 0), notBefore: field('nb', instant), list: directMessageList },
    listed: { list: directMessageList },
  },
);

const times = object<Times>({
  rules: field('ru', text, ''),
  countedFrom: field('cf', nullable(instant), null),
  remindAt: field('r', nullable(instant), null),
  reminders: field('rn', number, 0),
  escalateAt: field('e', nullable(instant), null),
  escalatedAt: field('ed', nullable(instant), null),
  expireAt: field('x', nullable(instant), null),
  askedAgainAt: field('a', nullable(instant), null),
});

const ASKED: Fields<Omit<Pending, 'status'>> = {
  id: field('id', text, '1'),
  taskId: field('ti', text),
  taskName: field('tn', nullable(text), null),
  round: field('r', number, 1),
  output: field('o', output),
  hop: field('h', number, 0),
  kickoffId: field('k', serviceId, 0),
  askedAt: field('at', instant),
  repeatsRound: field('rr', nullable(number), null),
  card: field('c', post),
  copies: field('cc', list(object<Pending['copies'][number]>({ ts: field('ts', text), post: field('p', post) })), []),
  followUp: field('fu', nullable(post), null),
  file: field('f', nullable(post), null),
  votes: field('vo', list(vote), []),
  takenBack: field('tb', number, 0),
  handedOver: field('ho', list(handOver), []),
  alerts: field('al', list(alert), []),
  mentioned: field('me', nullable(list(text)), []),
  directMessages: field('dn', directMessages, {}),
  keepsText: field('kt', flag, false),
  times: field('tm', times, {}),
  isInLedger: field('le', flag, true),
};

const attempts: Codec<Attempt[]> = list(
  object<Attempt>({
    number: field('n', number),
    hop: field('h', number),
    mayHaveArrived: field('ma', flag, true),
  }),
);

const failure = union<ResumeFailure, 'kind'>(
  'kind',
  { name: 's', usual: null },
  {
    refused: { code: field('co', word()), status: field('st', number), detail: field('d', text, '') },
    unconfirmed: {},
  },
);

const DECIDED = { ...ASKED, decision: field('d', decision) };
const SENT = { ...DECIDED, attempts: field('a', attempts, []) };
const tries = field('n', number, 0);

export const approval = union<Approval, 'status'>(
  'status',
  { name: 's', usual: 'pending' },
  {
    pending: ASKED,
    decided: { ...SENT, tries, sendAt: field('sa', instant), undoUntil: field('uu', nullable(instant), null) },
    sending: { ...SENT, tries, ...CLAIMED },
    delivered: {
      ...DECIDED,
      proof: field('pr', word()),
      resumedAs: field('ra', serviceId, null),
      deliveredAt: field('da', instant),
    },
    failed: { ...SENT, failure: field('fa', failure), failedAt: field('fe', instant) },
    superseded: {
      ...ASKED,
      decision: field('d', nullable(decision), null),
      by: field('by', word()),
      supersededAt: field('su', instant),
    },
    expired: { ...ASKED, expiredAt: field('xe', instant) },
  },
);
