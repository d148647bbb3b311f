import type { Person, Vote } from '../../../core/approval/approval.ts';
import { type Approver, approversNow, type Policy } from '../../../core/approval/policy/policy.ts';
import {
  type Place,
  type PolicyPlaces,
  type PolicyStatement,
  placeOf,
} from '../../../core/approval/policy/statements.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { type ApproverName, approverWords, listed, type NameOf, nameIn } from '../../ui/person.ts';
import { durationInWords, lastMoment, slackDate, slackDay } from '../../ui/text/moment.ts';

/** A sentence for each; who else stands in can decide all the same. */
const MOST_AWAY = 5;

/** The policy of a request as it is now, with the names that it takes to say it. */
export interface Deciders {
  policy: Policy;
  /** Whether others may apply once the crew has named the task. */
  isProvisional?: boolean;
  /** Who started the run; null if it was started elsewhere. */
  starter: Person | null;
  approverName: ApproverName;
}

interface Words {
  name: NameOf;
  say: Say;
}

/**
 * Who can decide an open request and how many have, as parts of a line: `needs 2 of @release-managers`, `1 so far: Maria`. While
 * the first isn't known, the second alone.
 */
export function whoDecides(model: CardModel, deciders: Deciders | null, words: Words): string[] {
  if (deciders === null) return model.votes.length > 0 ? [votes(model, words)] : [];
  const { policy, approverName } = deciders;
  const { say } = words;
  const approvers = approversNow(policy, { isEscalated: model.escalatedAt !== null });
  const needed =
    policy.quorum > 1 ? needs(policy.quorum, approvers, { approverName, say }) : can(approvers, { approverName, say });
  const counted = policy.quorum > 1 || model.votes.length > 0 ? votes(model, words) : '';
  const provisional = deciders.isProvisional ? say('card.unnamed-rules') : '';
  return [needed, barred(deciders, words), provisional, counted].filter((part) => part !== '');
}

/** Who may not decide, as they started the run, or that nobody knows who did. */
function barred({ policy, starter, approverName }: Deciders, { name, say }: Words): string {
  const { selfApproval, startedElsewhere } = policy;
  if (selfApproval) return '';
  if (starter) return say('card.not-starter', { name: nameIn(name, starter) });
  return startedElsewhere.length === 0
    ? say('card.no-starter')
    : say('card.not-elsewhere', { who: approverWords(startedElsewhere, approverName, { say }) });
}

interface ApproverNames {
  approverName: ApproverName;
  say: Say;
}

function needs(quorum: number, approvers: readonly Approver[], { approverName, say }: ApproverNames): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('card.needs-anyone', { quorum });
  if (approvers.every(({ kind }) => kind === 'channel')) return say('card.needs-channel', { quorum });
  return say('card.needs', { quorum, who: approverWords(approvers, approverName, { say }) });
}

function can(approvers: readonly Approver[], { approverName, say }: ApproverNames): string {
  return approvers.some(({ kind }) => kind === 'workspace')
    ? say('card.anyone')
    : say('card.can-decide', { who: approverWords(approvers, approverName, { say }) });
}

function votes({ votes }: CardModel, { name, say }: Words): string {
  if (votes.length === 0) return say('card.no-votes');
  const voters = votes.map((vote) => voterText(vote, { name, say }));
  return say('card.votes', { count: votes.length, names: listed(voters, say) });
}

function voterText({ by, for: holder, feedback }: Vote, { name, say }: Words): string {
  const named = { name: nameIn(name, by) };
  if (!feedback?.trim()) return actorText({ by, for: holder }, { name, say });
  return holder ? say('card.for-with-note', { ...named, other: nameIn(name, holder) }) : say('card.with-note', named);
}

/** Who approved or rejected, and with whose right, as in `Jon (for Maria)`. */
export function actorText({ by, for: holder }: Pick<Vote, 'by' | 'for'>, { name, say }: Words): string {
  return holder ? say('card.for', { name: nameIn(name, by), other: nameIn(name, holder) }) : nameIn(name, by);
}

/** To whom a request went besides those who could decide it from the start. */
export function passedOn(model: CardModel, { policy, approverName }: Deciders, { name, say }: Words): string[] {
  const { escalatedAt, handedOver } = model;
  const named = handedOver.map(({ to, by, until }) => ({ to: nameIn(name, to), by: nameIn(name, by), until }));
  const handed = named.flatMap(({ to, by, until }) => (until === null ? [say('card.handed-over-to', { to, by })] : []));
  const away = named.flatMap(({ to, by, until }) =>
    until === null ? [] : [say('card.stands-in', { to, by, date: slackDay(lastMoment(until), say) })],
  );
  return [
    ...(escalatedAt === null ? [] : [escalated(policy, slackDate(escalatedAt, say), { approverName, say })]),
    ...(handed.length === 0 ? [] : [say('card.handed-over', { list: listed(handed, say) })]),
    ...away.slice(0, MOST_AWAY),
  ];
}

function escalated({ escalateTo }: Policy, when: string, { approverName, say }: ApproverNames): string {
  return escalateTo.length === 0
    ? say('card.escalated', { when })
    : say('card.escalated-to', { who: approverWords(escalateTo, approverName, { say }), when });
}

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
    case 'own-token':
      return say('policy.own-token', { command: `/kickoff connect ${rule.crew}` });
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

/** A rule with the place that it comes from: `One person decides. (crews.yml, line 12)`; a default has none. */
export function sentenceWithPlace(
  rule: PolicyStatement,
  { places, task, ...wording }: Wording & { places: PolicyPlaces; task: number | null },
): string {
  const { say } = wording;
  const sentence = policySentence(rule, wording);
  const place = placeOf(places, rule.settings, task);
  return place === null ? sentence : say('policy.with-place', { sentence, place: placeWords(say, place) });
}

/** `crews.yml, lines 12, 13` */
export function placeWords(say: Say, { source, lines }: Place): string {
  const [line, ...others] = lines;
  if (line === undefined) return source;
  return others.length === 0
    ? say('policy.place-line', { source, line: String(line) })
    : say('policy.place-lines', { source, lines: lines.join(', ') });
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
  }
}
