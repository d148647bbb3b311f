// A policy in sentences.
import type { Approver } from '../../../core/approval/policy/policy.ts';
import type { PolicyStatement } from '../../../core/approval/policy/statements.ts';
import type { Say } from '../../language/say.ts';
import { durationInWords } from '../../ui/text/moment.ts';

interface Wording {
  say: Say;
  /** What to call a person or a group. */
  nameOf: (approver: Approver) => string;
}

/** A rule as people read it, in one sentence; names are as `nameOf` has them. */
export function policySentence(rule: PolicyStatement, { say, nameOf }: Wording): string {
  switch (rule.kind) {
    case 'quorum':
      return say('policy.quorum', rule);
    case 'approvers':
      return say('policy.approvers', { people: peopleIn(rule.approvers, { say, nameOf }) });
    case 'starters':
      return say('policy.starters', { people: peopleIn(rule.approvers, { say, nameOf }) });
    case 'self-approval':
      return say(SELF_APPROVAL[rule.allowed]);
    case 'elsewhere':
      return rule.people.length === 0
        ? say('policy.elsewhere-unknown')
        : say('policy.elsewhere-count', { people: peopleIn(rule.people, { say, nameOf }) });
    case 'guests':
      return say(rule.allowed === 'named' ? 'policy.guests-can-if-named' : 'policy.guests-cannot');
    case 'delegation':
      return say(DELEGATION[rule.allowed]);
    case 'own-token':
      return say('policy.own-token', { command: `/kickoff connect ${rule.crew}` });
    case 'notes':
      return say(rule.taken === 'always' ? 'policy.note-required' : 'policy.note-none');
    case 'feedback':
      return say(rule.taken === 'perhaps' ? 'policy.feedback-optional' : 'policy.feedback-none');
    case 'last-rejection':
      return say('policy.last-rejection');
    case 'hours':
      return say('policy.hours', { hours: rule.text });
    case 'review':
    case 'undo':
    case 'reminder':
    case 'escalation':
    case 'closing':
    case 'rejection':
      return timeSentence(rule, { say, nameOf });
  }
}

const SELF_APPROVAL = {
  never: 'policy.starter-cannot',
  always: 'policy.starter-can',
  'one-of-them': 'policy.starter-can-if-named',
} as const;

const DELEGATION = {
  none: 'policy.delegation-none',
  approvers: 'policy.delegation-named',
  anyone: 'policy.delegation-anyone',
} as const;

function timeSentence(rule: Extract<PolicyStatement, { ms: number }>, { say, nameOf }: Wording): string {
  const time = durationInWords(rule.ms, say);
  switch (rule.kind) {
    case 'review':
      return say('policy.review', { time });
    case 'undo':
      return say('policy.undo', { time });
    case 'reminder':
      return say('policy.reminder', { time });
    case 'escalation':
      return say('policy.escalation', { time, people: peopleIn(rule.approvers, { say, nameOf }) });
    case 'closing':
      return say('policy.closing', { time });
    case 'rejection':
      return say('policy.rejection', { time, feedback: rule.feedback });
  }
}

/** People after a colon, each once: `Maria, everybody in @leads and the members of the channel`. */
export function peopleIn(approvers: readonly Approver[], { say, nameOf }: Wording): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('who.workspace');
  if (approvers.length === 0) return say('who.nobody');
  return say.list([...new Set(approvers.map((approver) => wordsFor(approver, { say, nameOf })))]);
}

function wordsFor(approver: Approver, { say, nameOf }: Wording): string {
  switch (approver.kind) {
    case 'group':
    case 'handle':
      return say('who.group', { group: nameOf(approver) });
    case 'channel':
      return say('who.the-channel');
    case 'person':
    case 'email':
      return nameOf(approver);
    case 'workspace':
      return say('who.workspace');
    case 'input':
      return say('who.input', { input: approver.name.replace(/^input:/, '') });
  }
}
