import type { ModalView } from '@slack/types';
import type { Denial } from '../../../src/core/policy/permits.ts';
import { type Approver, DEFAULT_POLICY, parseApprover } from '../../../src/core/policy/policy.ts';
import { approverLines } from '../../../src/slack/features/card/approver-people.ts';
import { whoModal } from '../../../src/slack/features/card/who-can-decide.ts';
import { noneToStartMessage, startRefusalModal } from '../../../src/slack/features/kickoff/trouble.ts';
import {
  crewRulesMessage,
  type WaitingRequest,
  waitingRequestsMessage,
} from '../../../src/slack/features/kickoff/who.ts';
import { reasonLines } from '../../../src/slack/request/counting-conditions.ts';
import { ownRightText } from '../../../src/slack/request/own-right.ts';
import { delegationLines, votesSoFar } from '../../../src/slack/request/who-decides.ts';
import type { Rendered } from '../../../src/slack/ui/blocks.ts';
import { nextStepButtons } from '../../../src/slack/ui/modal.ts';
import { escapedLine } from '../../../src/slack/ui/text/escape.ts';
import { crew } from '../../crew/crew-values.ts';
import { JON, MARIA } from '../../support/requests.ts';
import { inForce } from '../../support/rules-in-force.ts';
import { enoughOf } from './hostile.ts';
import { card, handOver, refusalDetails, say, vote } from './models.ts';

const DENIALS: Denial[] = [
  { kind: 'guest' },
  { kind: 'not-approver' },
  { kind: 'self-approval' },
  { kind: 'no-token' },
  { kind: 'bot' },
  { kind: 'deactivated' },
  { kind: 'stranger' },
  { kind: 'unsure', personId: 'U1', approver: null },
  { kind: 'unsure', personId: 'U1', approver: 'channel' },
];

/** What an operator wrote is long at most. */
const OWN_TEXT_LENGTH = 10_000;

/** A crew with as many people named as it may have, and as much said about it. */
function crewNamed(text: string) {
  const named = Array.from({ length: 30 }, (_, i) => `UPERSON${i}`).flatMap((name) => parseApprover(name) ?? []);
  const handle = { kind: 'handle' as const, name: `@${text}` };
  const rules = {
    ...DEFAULT_POLICY,
    approvers: [...named, handle],
    expireAfterMs: 3_600_000,
    onExpiry: 'reject' as const,
  };
  const policy = { ...rules, quorum: 2, expiryText: text };
  const {
    when: _,
    tasks: _tasks,
    inputs: _inputs,
    timeZone: _zone,
    matchTitles: _titles,
    stages: _stages,
    stage: _at,
    ...own
  } = policy;
  const stages = Array.from({ length: 10 }, (_, i) => ({ ...own, name: `${enoughOf(text)}${i}`, allOf: [handle] }));
  const condition = { text, sees: [], holds: () => null };
  const when = [[], stages].map((each) => ({ ...policy, quorum: 3, stages: each, condition }));
  const tasks = Array.from({ length: 20 }, (_, i) => ({
    ...policy,
    match: `${enoughOf(text)}${i}`,
    looksAt: 'name' as const,
    quorum: 1,
  }));
  return crew({ name: text, starters: [...named, handle], approval: { ...policy, when, tasks } });
}

export function rightsMessages(text: string): [string, Rendered][] {
  const own = text.slice(0, OWN_TEXT_LENGTH);
  const named = crewNamed(own);
  const you = ownRightText(
    { kind: 'denied', denial: { kind: 'unsure', personId: 'U1', approver: own } },
    { ...refusalDetails({ you: 'U1' }), approverName: () => own, say },
  );
  const request: WaitingRequest = {
    card: card({
      ...{ crew: named.name, taskName: text, about: text, round: 2 },
      votes: [vote(MARIA)],
      handedOver: [{ to: JON, by: MARIA, at: 1, until: null }],
    }),
    deciders: { policies: [inForce(named.approval)], starter: MARIA, approverName: () => own },
    ...{ you, link: 'https://signoff.example/p1' },
    name: () => text,
  };
  const many = Array.from({ length: 60 }, () => ({ crew: named, denial: { kind: 'guest' as const } }));
  return [
    ['who, for a channel', waitingRequestsMessage([request], say)],
    [
      'who, for a channel with much in it',
      waitingRequestsMessage(
        Array.from({ length: 60 }, () => request),
        say,
      ),
    ],
    ['who, where nothing waits', waitingRequestsMessage([], say)],
    ['who, for a crew', crewRulesMessage(named, { canStart: you, canDecide: you, approverName: () => own, say })],
    ['no crew to start', noneToStartMessage(many, say)],
  ];
}

/** With as many groups as a policy may name, and as many people in each. */
function whoCanDecide(text: string, own: string, stages: number): ModalView {
  const groups = Array.from({ length: 60 }, (_, i): Approver => ({ kind: 'handle', name: `@group${i}` }));
  const people = Array.from({ length: 20 }, () => ({ name: text, awayUntil: 86_400_000 }));
  const behind = new Map(groups.map(({ name }) => [name, { people, more: 3 }]));
  const added = handOver(JON, MARIA);
  const model = card({
    handedOver: [added, { ...added, until: 86_400_000 }],
    escalations: [{ rules: '', at: 1 }],
    votes: [vote(MARIA)],
  });
  const words = { name: () => text, say };
  const deciders = { policies: [inForce(DEFAULT_POLICY)], starter: null, approverName: () => own };
  const lines = approverLines([{ kind: 'channel', name: 'channel' }, ...groups], {
    behind,
    approverName: () => own,
    say,
  });
  const values = Array.from({ length: 20 }, (_, i) => [`inputs.${own}${i}`, text] as const);
  const missing = values.map(([name]) => name);
  const conditions = (['unknown', 'unknown', 'holds'] as const).map((verdict) => ({
    ...{ text: own, verdict, values, missing },
  }));
  return whoModal({
    ...{ crew: own, taskName: text, you: 'No.', say },
    rules: { needed: own, others: Array.from({ length: 20 }, () => own) },
    why: reasonLines(conditions, say),
    steps: Array.from({ length: stages }, (_, i) => ({
      heading: stages > 1 ? `${i}. ${escapedLine(own, 80)}` : null,
      people: Array.from({ length: i < stages / 2 - 1 ? 0 : Math.min(2, stages) }, () => ({ needed: 'All.', lines })),
      also: i === Math.floor(stages / 2) ? delegationLines(model, deciders, words) : [],
      approved: i === Math.floor(stages / 2) ? votesSoFar(model, deciders, words) : '',
    })),
    more: nextStepButtons({ kind: 'ask', ref: model.ref, approvalId: model.approvalId }, say),
  });
}

export function rightsModals(text: string): [string, ModalView][] {
  const own = text.slice(0, OWN_TEXT_LENGTH);
  const refused = [...DENIALS, { kind: 'unsure' as const, personId: 'U1', approver: `@${own}` }].map(
    (denial): [string, ModalView] => [
      `start refused: ${denial.kind}`,
      startRefusalModal({ crew: crewNamed(own), denial }, say),
    ],
  );
  return [
    ['who can decide', whoCanDecide(text, own, 1)],
    ['who can decide, in stages', whoCanDecide(text, own, 10)],
    ...refused,
  ];
}
