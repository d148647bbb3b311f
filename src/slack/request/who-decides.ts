// Says who can decide an open request, who has voted, and who else can decide since it was escalated or handed over. Cards, reviews and
// *Who can decide?* show it.
import type { CardModel } from '../../core/messages/view-models.ts';
import type { PossibleCause } from '../../core/policy/explained.ts';
import type { PossibleRules } from '../../core/policy/in-force.ts';
import {
  type Approver,
  approvalsNeeded,
  handOversUnder,
  type Policy,
  parseApprover,
  quorumNow,
  settingsOf,
} from '../../core/policy/policy.ts';
import { type Progress, progressOn, stagesBefore } from '../../core/policy/progress.ts';
import { hasOthers } from '../../core/policy/statements.ts';
import type { Person } from '../../core/state/request.ts';
import type { Shortage } from '../../core/state/shortage.ts';
import type { Say } from '../language/say.ts';
import {
  type ApproverName,
  approverWords,
  inputIn,
  listed,
  type Mention,
  mentionsText,
  nameIn,
  type Words,
} from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { lastMoment, slackDate, slackDay, withDate } from '../ui/text/moment.ts';
import { actorsText, stageName, votesOn } from './card-state.ts';

/** The policy of a request as it is now, with the names in it. */
export interface Deciders {
  /** Rules that may apply, at least one. */
  policies: readonly PossibleRules[];
  /** Reasons why we don't know which of them apply. Default: we do. */
  doubts?: readonly PossibleCause[];
  /** The person who started the run. Null if it was started elsewhere. */
  starter: Person | null;
  approverName: ApproverName;
  /** Mentions of the approvers, by their names in the policy. */
  approverMentions?: ReadonlyMap<string, Mention>;
}

/**
 * Says who can decide an open request and who has voted, as parts of a line: `Needs 2 of @release-managers`, `1 of 2 approved: Maria`.
 * While the policy isn't known, it only has the votes.
 */
export function whoDecides(model: CardModel, deciders: Deciders | null, words: Words): string[] {
  const able = deciders === null ? [] : deciderLines(model, deciders, words);
  const parts = [...able, ...completedStages(model, deciders, words), votesSoFar(model, deciders, words)];
  return parts.filter((part) => part !== '');
}

/** Returns the lines above the buttons of a card. They mention the people whom the card notifies. Complete stages have their own line. */
export function decisionLines(
  model: CardModel,
  deciders: Deciders | null,
  { mentions, ...words }: Words & { mentions: readonly Mention[] },
): string[] {
  const { say } = words;
  const notified = new Set(mentions.map(({ id }) => id));
  const approvers = [...(deciders?.approverMentions ?? [])].filter(([, { id }]) => notified.has(id));
  const mentioned = new Map(approvers.map(([name, mention]) => [name, mentionsText([mention])]));
  const idsOnCard = new Set([...approvers.map(([, { id }]) => id), ...votesOn(model).map(({ by }) => by.id)]);
  const others = mentionsText(mentions.filter(({ id }) => !idsOnCard.has(id)));
  const able = deciders === null ? [] : deciderLines(model, deciders, { ...words, mentioned });
  const votes = votesSoFar(model, deciders, words);
  const also = deciders === null || others === '' ? '' : say('card.also-notified', { mentions: others });
  const until =
    model.expireAt === undefined ? '' : `⏳ ${withDate(model.expireAt, say, (when) => say('card.until', { when }))}`;
  // The operator's words for what an approval does.
  const meaning = deciders && settingsOf(deciders.policies).approveMeans;
  const who = [meaning ? `*${escapedLine(meaning, 80)}*` : '', ...able, votes && `☑️ ${votes}`, until, also]
    .filter((part) => part !== '')
    .join(' · ');
  const completed = completedStages(model, deciders, words).join(' · ');
  return [
    ...(who === '' ? [] : [mentions.length === 0 ? who : `🔔 ${who}`]),
    ...(completed === '' ? [] : [`☑️ ${completed}`]),
  ];
}

function deciderLines(
  model: CardModel,
  deciders: Deciders,
  { mentioned, ...words }: Words & { mentioned?: ReadonlyMap<string, string> },
): string[] {
  // Another line says what is missing.
  if (model.undecidable?.isLeftToNobody) return [];
  const { approverName } = deciders;
  const { say } = words;
  const names = { approverName, say, ...(mentioned && { mentioned }) };
  const policy = certainRules(deciders);
  if (policy === null)
    return [possibleText(model, deciders, say, mentioned), exclusionText(deciders, words)].filter(
      (part) => part !== '',
    );
  // The votes say whose approvals are missing.
  const isSaidByVotes = model.votes.length > 0 && missingText(policy, progressIn(model, policy), names, model) !== '';
  const needed = isSaidByVotes ? '' : neededText(policy, names);
  const parts = policy.stages.length > 1 ? stageParts(policy, needed, say) : [needed];
  return [...parts, exclusionText(deciders, words)].filter((part) => part !== '');
}

/**
 * Says whose approvals are needed. If one person of each of several groups has to approve, names the groups, and other approvers
 * only if they are needed, too.
 */
function neededText(policy: PossibleRules, names: ApproverNames): string {
  const { quorum, allOf } = policy;
  const approvers = withoutUnnamed(quorumNow(policy));
  if (allOf.length === 0) return quorum > 1 ? needsText(quorum, approvers, names) : canText(approvers, names);
  const { say } = names;
  const who = listed(seatWords(allOf, names), say);
  if (quorum <= allOf.length && !needsOthers(policy)) return say('card.needs-each', { who });
  const also = needsOthers(policy)
    ? say('card.needs-each-too', { who })
    : hasOthers(policy)
      ? say('card.needs-among', { who })
      : say('card.one-of-each');
  return `${needsText(quorum, approvers, names)} · ${also}`;
}

/** Leaves out inputs that name nobody, unless there is nobody else. */
function withoutUnnamed(approvers: readonly Approver[]): readonly Approver[] {
  const others = approvers.filter(({ kind }) => kind !== 'input');
  return others.length > 0 ? others : approvers;
}

/** Returns true if more people have to approve than one of each group in `allOf`. The same person may count for both. */
function needsOthers(policy: Policy): boolean {
  return policy.allOf.length > 0 && hasOthers(policy) && !policy.approvers.some(isWorkspace);
}

/** Names groups of which one person each has to approve. */
function seatWords(allOf: readonly Approver[], { approverName, ...wording }: ApproverNames): string[] {
  const { say } = wording;
  return allOf.map((approver) => {
    if (approver.kind === 'channel') return say('card.one-of-channel');
    return isWorkspace(approver) ? say('card.one-of-workspace') : approverWords([approver], approverName, wording);
  });
}

const MOST_LATER_STAGES = 3;

/** Says who decides in the open stage, and which stages follow. */
function stageParts({ stages, stage }: Policy, who: string, say: Say): string[] {
  const open = stages[stage];
  if (!open) return [who];
  const name = say('card.stage', { number: stage + 1, count: stages.length, stage: stageName(open.name) });
  const later = stages.slice(stage + 1).map((each) => `*${stageName(each.name)}*`);
  return [
    who === '' ? name : say('card.stage-who', { stage: name, who }),
    later.length === 0 ? '' : say('card.then', { stages: listed(later, say, { most: MOST_LATER_STAGES }) }),
  ];
}

/** Returns the rules that decide a request. Null if we don't know which of several apply. */
function certainRules({ policies, doubts = [] }: Pick<Deciders, 'policies' | 'doubts'>): PossibleRules | null {
  return doubts.length > 0 ? null : (policies[0] ?? null);
}

function progressIn({ votes, stages = [] }: Pick<CardModel, 'votes' | 'stages'>, policy: PossibleRules): Progress {
  return progressOn(policy, { votes, stages });
}

const MOST_DOUBTS = 3;

/** Says whose approvals are missing by any of the rules that may apply, and what isn't known yet. */
export function possibleText(
  model: Pick<CardModel, 'votes' | 'stages'>,
  deciders: Pick<Deciders, 'policies' | 'doubts' | 'approverName'>,
  say: Say,
  mentioned?: ReadonlyMap<string, string>,
): string {
  const names = { approverName: deciders.approverName, say, ...(mentioned && { mentioned }) };
  // The crew's own rules, which come last, are the ones that people know.
  const needed = deciders.policies
    .toReversed()
    .flatMap((policy) => missingWords(policy, progressIn(model, policy), names));
  const doubts = [...new Set((deciders.doubts ?? []).map((doubt) => doubtText(doubt, say)))];
  // Every other approver is one of the workspace, too.
  const anyone = say('card.one-of-workspace');
  const others = [...new Set(needed)].filter((who) => who !== anyone);
  const who = others.length > 0 ? others : [anyone];
  return say('card.possible', { who: listed(who, say), doubts: listed(doubts, say, { most: MOST_DOUBTS }) });
}

/** Names the people whose approvals are missing by some rules. */
function missingWords(policy: PossibleRules, { missing, lacking }: Progress, names: ApproverNames): string[] {
  const seats = seatWords(missing, names);
  if (lacking === 0 || (policy.allOf.length > 0 && !needsOthers(policy))) return seats;
  const approvers = withoutUnnamed(quorumNow(policy));
  const [only] = approvers;
  if (lacking === 1 && only && approvers.length === 1) return [...seats, ...seatWords([only], names)];
  if (lacking === 1 && approvers.some(isWorkspace)) return [...seats, names.say('card.one-of-workspace')];
  const { approverName, ...wording } = names;
  return [...seats, names.say('card.of', { count: lacking, who: approverWords(approvers, approverName, wording) })];
}

/** Says what isn't known of a request, such as whether it is a task of that name. */
export function doubtText({ task, condition }: PossibleCause, say: Say): string {
  if (condition?.verdict === 'unknown')
    return say('card.doubt-condition', { condition: escapedLine(condition.text, 120) });
  return say('card.doubt-task', { task: escapedLine(task ?? '', 80) });
}

/** Says who has approved the complete stages, a part for each. */
export function completedStages(
  { stages = [] }: Pick<CardModel, 'stages'>,
  deciders: Pick<Deciders, 'policies'> | null,
  words: Words,
): string[] {
  const complete =
    deciders === null
      ? stages
      : stages.filter((stage) => deciders.policies.some((policy) => stagesBefore([stage], policy).length > 0));
  return complete.map((stage) =>
    words.say('card.stage-approved', { stage: stageName(stage.name), names: actorsText(stage.votes, words) }),
  );
}

function isWorkspace({ kind }: Approver): boolean {
  return kind === 'workspace';
}

/** Says who may not decide because they started the run, or that nobody knows who started it. */
function exclusionText({ policies, starter, approverName }: Deciders, { name, say }: Words): string {
  const startedElsewhere = policies.find(({ selfApproval }) => !selfApproval)?.startedElsewhere;
  if (!startedElsewhere) return '';
  if (starter) return say('card.not-starter', { name: nameIn(name, starter) });
  return startedElsewhere.length === 0
    ? say('card.no-starter')
    : say('card.not-elsewhere', { who: approverWords(startedElsewhere, approverName, { say }) });
}

interface ApproverNames {
  approverName: ApproverName;
  mentioned?: ReadonlyMap<string, string>;
  say: Say;
}

function needsText(
  quorum: number,
  approvers: readonly Approver[],
  { approverName, ...wording }: ApproverNames,
): string {
  const { say } = wording;
  if (approvers.some(isWorkspace)) return say('card.needs-anyone', { quorum });
  if (approvers.every(({ kind }) => kind === 'channel')) return say('card.needs-channel', { quorum });
  return say('card.needs', { quorum, who: approverWords(approvers, approverName, wording) });
}

function canText(approvers: readonly Approver[], { approverName, ...wording }: ApproverNames): string {
  const { say } = wording;
  if (approvers.some(isWorkspace)) return say('card.anyone');
  if (approvers.every(({ kind }) => kind === 'channel')) return say('card.anyone-in-channel');
  const input = approvers.find(({ kind }) => kind === 'input');
  if (input) return say('card.nobody-named', { input: escapedLine(inputIn(input), 80) });
  return say('card.can-decide', { who: approverWords(approvers, approverName, wording) });
}

/** Says who has approved the open stage, and whose approvals are missing. Empty without votes. */
export function votesSoFar(
  { votes, stages = [] }: Pick<CardModel, 'votes' | 'stages'>,
  deciders: Pick<Deciders, 'policies' | 'doubts' | 'approverName'> | null,
  words: Words,
): string {
  if (votes.length === 0) return '';
  const { say } = words;
  const policy = deciders && certainRules(deciders);
  const quorum = policy ? approvalsNeeded(policy) : 1;
  const progress = policy && progressIn({ votes, stages }, policy);
  const names = actorsText(votes, words);
  const still = deciders && policy && progress ? missingText(policy, progress, { ...deciders, say }, { votes }) : '';
  // If some people may count for both, the number that is needed isn't known.
  const isCounted = quorum > 1 && !(policy && needsOthers(policy));
  const approved = isCounted
    ? say('card.votes-of', { count: progress?.given ?? votes.length, quorum, names })
    : say('card.votes', { count: votes.length, names });
  const outcome = votes.find((vote) => vote.outcome !== undefined)?.outcome;
  const chosen = outcome === undefined ? '' : say('card.votes-for', { outcome: escapedLine(outcome, 80) });
  return [approved, chosen, still].filter((part) => part !== '').join(' · ');
}

/** Says whose approvals are missing, without the people who have approved. */
function missingText(
  policy: PossibleRules,
  progress: Progress,
  names: ApproverNames,
  { votes }: Pick<CardModel, 'votes'>,
): string {
  const { allOf, approvers, escalateTo } = policy;
  const { lacking } = progress;
  const voters = votes.map(({ by }) => by.id);
  const isLeft = ({ kind, name }: Approver) => kind !== 'person' || !voters.includes(name);
  const rest = { ...policy, approvers: approvers.filter(isLeft), escalateTo: escalateTo.filter(isLeft) };
  const left = quorumNow(rest);
  if (allOf.length === 0 && (left.length === 0 || left.some(isWorkspace)))
    return lacking === 0 ? '' : names.say('card.still-needs-people', { count: lacking });
  const all = missingWords(rest, progress, names);
  return all.length === 0 ? '' : names.say('card.still-needs', { who: listed(all, names.say) });
}

/** Returns the notes of the approvers, which the crew receives with the decision, a line each. */
export function noteLines(model: Pick<CardModel, 'stages' | 'votes'>, { name, say }: Words): string[] {
  return votesOn(model).flatMap(({ by, feedback }) => {
    const note = escapedLine(feedback ?? '', LONGEST_NOTE);
    return note === '' ? [] : [say('card.note', { name: nameIn(name, by), note })];
  });
}

const LONGEST_NOTE = 200;
/** More stand-ins can decide as well, but have no sentence. */
const MOST_AWAY = 5;

/** Says who else can decide since the request was escalated or handed over, or while an approver is away. */
export function delegationLines(
  model: CardModel,
  { policies, approverName }: Deciders,
  { name, say }: Words,
): string[] {
  const lines: string[] = [];
  const away: string[] = [];
  for (const { to, by, until } of handOversUnder(policies, model.handedOver)) {
    const names = { to: nameIn(name, to), by: nameIn(name, by) };
    if (until === null) lines.push(say('card.handed-over-to', names));
    else away.push(say('card.stands-in', { ...names, date: slackDay(lastMoment(until), say) }));
  }
  const escalated = policies.flatMap(({ place, escalateTo }) => {
    const at = model.escalations.find(({ rules }) => rules === place)?.at;
    if (at === undefined) return [];
    const when = slackDate(at, say);
    return escalateTo.length === 0
      ? [say('card.escalated', { when })]
      : [say('card.escalated-to', { who: approverWords(escalateTo, approverName, { say }), when })];
  });
  return [
    ...new Set(escalated),
    ...(lines.length === 0 ? [] : [say('card.handed-over', { list: listed(lines, say) })]),
    ...away.slice(0, MOST_AWAY),
  ];
}

/** Says why a request can't be completed now, a sentence for each of the rules that can't be met. */
export function shortageLines(
  shortages: readonly Shortage[],
  { policies, approverName }: Pick<Deciders, 'policies' | 'approverName'>,
  { name, say }: Words,
): string[] {
  const lines = shortages
    .filter(({ place }) => policies.some((policy) => policy.place === place))
    .map((shortage) => {
      const text = shortageText(shortage, { approverName, name, say });
      const staged = shortage.stage === null ? text : say('short.stage', { stage: stageName(shortage.stage), text });
      return shortage.untilEscalated ? say('short.until-escalated', { text: staged }) : staged;
    });
  const distinct = [...new Set(lines)];
  return shortages.length < policies.length ? distinct.map((text) => say('short.possible', { text })) : distinct;
}

/** Returns the approvers that shortages name. */
export function approversIn(shortages: readonly Shortage[]): Approver[] {
  return shortages.flatMap(({ approvers }) => approvers.map(parseApprover).filter((approver) => approver !== null));
}

/** Returns the people who are left, by their ids. */
export function peopleLeft(shortages: readonly Shortage[]): Person[] {
  return shortages.flatMap(({ left }) => left.map((id) => ({ id, name: id })));
}

function shortageText(shortage: Shortage, { approverName, name, say }: Words & Pick<Deciders, 'approverName'>): string {
  const { lack, why, needed } = shortage;
  const who = approverWords(approversIn([shortage]), approverName, { say });
  const left = peopleLeft([shortage]).map((person) => nameIn(name, person));
  const names = listed(left, say);
  switch (lack) {
    case 'nobody':
    case 'seat':
      return say(`short.${lack}`, { who, why });
    case 'people':
    case 'stages':
      return say(`short.${lack}`, { needed, names });
    case 'escalation':
      return say('short.escalation', { who });
  }
}

/** Says who last took back a vote or decision, and when. */
export function retractedLines({ retracted }: Pick<CardModel, 'retracted'>, { name, say }: Words): string[] {
  if (!retracted) return [];
  const { kind, by, at } = retracted;
  const words = { name: nameIn(name, by), when: slackDate(at, say) };
  return [say(kind === 'decision' ? 'card.undone' : 'card.withdrawn', words)];
}

/** Says that the database has lost decisions before they reached the crew. */
export function lostLines({ lost = [] }: Pick<CardModel, 'lost'>, { name, say }: Words): string[] {
  const names = lost.map((person) => nameIn(name, person));
  return names.length === 0 ? [] : [say('card.lost', { names: listed(names, say) })];
}

/** Returns the menu's entry to add an approver. Null if the policy lets nobody add one. */
export function addApproverEntry(
  policies: readonly Pick<Policy, 'delegation'>[],
  say: Say,
): { actionId: 'hand_over'; label: string } | null {
  const isKept = policies.length > 0 && policies.every(({ delegation }) => delegation === 'none');
  return isKept ? null : { actionId: 'hand_over', label: say('card.hand-over') };
}
