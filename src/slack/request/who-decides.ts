// Who can decide an open request, who has voted, and to whom it was passed on, as its card says it.

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
} from '../../core/policy/policy.ts';
import { type Progress, progressOn, stagesBefore } from '../../core/policy/progress.ts';
import { settingsOf } from '../../core/policy/settings.ts';
import { hasOthers } from '../../core/policy/statements.ts';
import type { Person } from '../../core/state/approval.ts';
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
import { lastMoment, slackDate, slackDay } from '../ui/text/moment.ts';
import { actorText, stageName, votesOn } from './card-state.ts';

/** Others who stand in can decide as well, but have no sentence. */
const MOST_AWAY = 5;

/** The policy of a request as it is now, with the names that are in it. */
export interface Deciders {
  /** Those that may turn out to apply, at least one. */
  policies: readonly PossibleRules[];
  /** Why it isn't known which of them do; by default it is. */
  doubts?: readonly PossibleCause[];
  /** Who started the run; null if it was started elsewhere. */
  starter: Person | null;
  approverName: ApproverName;
  /** Whom Slack notifies for those in the policy, by the names that it has for them. */
  approverMentions?: ReadonlyMap<string, Mention>;
}

/**
 * Who can decide an open request and who has voted, as parts of a line: `Needs 2 of @release-managers`, `1 of 2 approved: Maria`.
 * While the policy isn't known, only the votes.
 */
export function whoDecides(model: CardModel, deciders: Deciders | null, words: Words): string[] {
  const able = deciders === null ? [] : whoCan(model, deciders, words);
  const parts = [...able, ...completedStages(model, deciders, words), votesSoFar(model, deciders, words)];
  return parts.filter((part) => part !== '');
}

/** Who can decide, as the lines above the buttons of a card: whom the card notifies is mentioned, and complete stages have a line of their own. */
export function decisionLines(
  model: CardModel,
  deciders: Deciders | null,
  { mentions, ...words }: Words & { mentions: readonly Mention[] },
): string[] {
  const mentioned = mentionsByName(deciders, mentions);
  const voters = new Set(votesOn(model).map(({ by }) => by.id));
  const others = mentionsText(mentions.filter(({ id }) => !mentioned.ids.has(id) && !voters.has(id)));
  const able = deciders === null ? [] : whoCan(model, deciders, { ...words, mentioned: mentioned.texts });
  const voted = votesSoFar(model, deciders, words);
  const also = deciders === null || others === '' ? '' : words.say('card.also-notified', { mentions: others });
  const until =
    model.expireAt === undefined ? '' : `⏳ ${words.say('card.until', { when: slackDate(model.expireAt, words.say) })}`;
  const who = [meaningOf(deciders), ...able, voted === '' ? '' : `☑️ ${voted}`, until, also]
    .filter((part) => part !== '')
    .join(' · ');
  const completed = completedStages(model, deciders, words).join(' · ');
  return [
    ...(who === '' ? [] : [mentions.length === 0 ? who : `🔔 ${who}`]),
    ...(completed === '' ? [] : [`☑️ ${completed}`]),
  ];
}

/** What approving does, where the operator says so; escaped. */
function meaningOf(deciders: Deciders | null): string {
  const meaning = deciders && settingsOf(deciders.policies).approveMeans;
  return meaning ? `*${escapedLine(meaning, 80)}*` : '';
}

/** Those in a policy whom a message mentions: as text by the names that the policy has for them, and their ids. */
function mentionsByName(deciders: Deciders | null, mentions: readonly Mention[]) {
  const notified = new Set(mentions.map(({ id }) => id));
  const named = [...(deciders?.approverMentions ?? [])].filter(([, { id }]) => notified.has(id));
  return {
    texts: new Map(named.map(([name, mention]) => [name, mentionsText([mention])])),
    ids: new Set(named.map(([, { id }]) => id)),
  };
}

function whoCan(
  model: CardModel,
  deciders: Deciders,
  { mentioned, ...words }: Words & { mentioned?: ReadonlyMap<string, string> },
): string[] {
  // What it lacks is said instead.
  if (model.undecidable?.isLeftToNobody) return [];
  const { approverName } = deciders;
  const { say } = words;
  const names = { approverName, say, ...(mentioned && { mentioned }) };
  const policy = onlyRules(deciders);
  if (policy === null)
    return [possibleText(model, deciders, say, mentioned), barred(deciders, words)].filter((part) => part !== '');
  // Once there are votes, they say whose are missing.
  const isSaidByVotes = model.votes.length > 0 && stillNeeded(policy, progressIn(model, policy), names, model) !== '';
  const needed = isSaidByVotes ? '' : whoIsNeeded(policy, names);
  const inStages = policy.stages.length > 1 ? [inStage(policy, needed, say), laterStages(policy, say)] : [needed];
  return [...inStages, barred(deciders, words)].filter((part) => part !== '');
}

/** Where one person each of several has to approve, they are named; others only if some of them have to, too. */
function whoIsNeeded(policy: PossibleRules, names: ApproverNames): string {
  const { quorum, allOf } = policy;
  const approvers = withoutUnnamed(quorumNow(policy));
  if (allOf.length === 0) return quorum > 1 ? needs(quorum, approvers, names) : can(approvers, names);
  const { say } = names;
  const who = listed(seatWords(allOf, names), say);
  if (quorum <= allOf.length && !takesOthers(policy)) return say('card.needs-each', { who });
  const also = takesOthers(policy)
    ? say('card.needs-each-too', { who })
    : hasOthers(policy)
      ? say('card.needs-among', { who })
      : say('card.one-of-each');
  return `${needs(quorum, approvers, names)} · ${also}`;
}

/** Without the inputs that name nobody, unless there is nobody else. */
function withoutUnnamed(approvers: readonly Approver[]): readonly Approver[] {
  const others = approvers.filter(({ kind }) => kind !== 'input');
  return others.length > 0 ? others : approvers;
}

/** Whether it takes people besides those of whom one each has to approve, who may be the same. */
function takesOthers(policy: Policy): boolean {
  return policy.allOf.length > 0 && hasOthers(policy) && !policy.approvers.some(isWorkspace);
}

/** Of whom one person each has to approve. */
function seatWords(allOf: readonly Approver[], { approverName, ...wording }: ApproverNames): string[] {
  const { say } = wording;
  return allOf.map((approver) => {
    if (approver.kind === 'channel') return say('card.one-of-channel');
    return isWorkspace(approver) ? say('card.one-of-workspace') : approverWords([approver], approverName, wording);
  });
}

const MOST_LATER_STAGES = 3;

function inStage({ stages, stage }: Policy, who: string, say: Say): string {
  const open = stages[stage];
  if (!open) return who;
  const at = { number: stage + 1, count: stages.length };
  const named = say('card.stage', { ...at, stage: stageName(open.name) });
  return who === '' ? named : say('card.stage-who', { stage: named, who });
}

function laterStages({ stages, stage }: Policy, say: Say): string {
  const later = stages.slice(stage + 1).map(({ name }) => `*${stageName(name)}*`);
  return later.length === 0 ? '' : say('card.then', { stages: listed(later, say, { most: MOST_LATER_STAGES }) });
}

/** The rules by which a request is decided; null where it isn't known which of several that differ apply. */
function onlyRules({ policies, doubts = [] }: Pick<Deciders, 'policies' | 'doubts'>): PossibleRules | null {
  return doubts.length > 0 ? null : (policies[0] ?? null);
}

function progressIn({ votes, stages = [] }: Pick<CardModel, 'votes' | 'stages'>, policy: PossibleRules): Progress {
  return progressOn(policy, { votes, stages });
}

/** Whose approvals are missing by any of the rules that may turn out to apply, and what isn't known yet. */
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
  // Whoever else approves is one of the workspace, too.
  const anyone = say('card.one-of-workspace');
  const others = [...new Set(needed)].filter((who) => who !== anyone);
  const who = others.length > 0 ? others : [anyone];
  return say('card.possible', { who: listed(who, say), doubts: listed(doubts, say, { most: MOST_DOUBTS }) });
}

const MOST_DOUBTS = 3;

/** Those whose approvals are missing by some rules, in words. */
function missingWords(policy: PossibleRules, { missing, lacking }: Progress, names: ApproverNames): string[] {
  const seats = seatWords(missing, names);
  if (lacking === 0 || (policy.allOf.length > 0 && !takesOthers(policy))) return seats;
  const approvers = withoutUnnamed(quorumNow(policy));
  const [only] = approvers;
  if (lacking === 1 && only && approvers.length === 1) return [...seats, ...seatWords([only], names)];
  if (lacking === 1 && approvers.some(isWorkspace)) return [...seats, names.say('card.one-of-workspace')];
  const { approverName, ...wording } = names;
  return [...seats, names.say('card.of', { count: lacking, who: approverWords(approvers, approverName, wording) })];
}

/** What isn't known of a request, such as whether this is a task of that name. */
export function doubtText({ task, condition }: PossibleCause, say: Say): string {
  if (condition?.verdict === 'unknown')
    return say('card.doubt-condition', { condition: escapedLine(condition.text, 120) });
  return say('card.doubt-task', { task: escapedLine(task ?? '', 80) });
}

/** Who has approved the stages that are complete, a part for each. */
export function completedStages(
  { stages = [] }: Pick<CardModel, 'stages'>,
  deciders: Pick<Deciders, 'policies'> | null,
  { name, say }: Words,
): string[] {
  const complete =
    deciders === null
      ? stages
      : stages.filter((stage) => deciders.policies.some((policy) => stagesBefore([stage], policy).length > 0));
  return complete.map((stage) => {
    const voters = stage.votes.map((vote) => actorText(vote, { name, say }));
    return say('card.stage-approved', { stage: stageName(stage.name), names: listed(voters, say) });
  });
}

function isWorkspace({ kind }: Approver): boolean {
  return kind === 'workspace';
}

/** Who may not decide because they started the run, or that it isn't known who did. */
function barred({ policies, starter, approverName }: Deciders, { name, say }: Words): string {
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

function needs(quorum: number, approvers: readonly Approver[], { approverName, ...wording }: ApproverNames): string {
  const { say } = wording;
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('card.needs-anyone', { quorum });
  if (approvers.every(({ kind }) => kind === 'channel')) return say('card.needs-channel', { quorum });
  return say('card.needs', { quorum, who: approverWords(approvers, approverName, wording) });
}

function can(approvers: readonly Approver[], { approverName, ...wording }: ApproverNames): string {
  const { say } = wording;
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('card.anyone');
  if (approvers.every(({ kind }) => kind === 'channel')) return say('card.anyone-in-channel');
  const [input] = approvers.filter(({ kind }) => kind === 'input');
  if (input) return say('card.nobody-named', { input: escapedLine(inputIn(input), 80) });
  return say('card.can-decide', { who: approverWords(approvers, approverName, wording) });
}

/** Empty where one decision is enough and there is none. */
export function votesSoFar(
  { votes, stages = [] }: Pick<CardModel, 'votes' | 'stages'>,
  deciders: Pick<Deciders, 'policies' | 'doubts' | 'approverName'> | null,
  words: Words,
): string {
  const { say } = words;
  const policy = deciders && onlyRules(deciders);
  const quorum = policy ? approvalsNeeded(policy) : 1;
  if (votes.length === 0) return '';
  const progress = policy && progressIn({ votes, stages }, policy);
  const voters = votes.map((vote) => actorText(vote, words));
  const names = listed(voters, say);
  const still = deciders && policy && progress ? stillNeeded(policy, progress, { ...deciders, say }, { votes }) : '';
  // How many it takes in all isn't known where some may count for both.
  const isCounted = quorum > 1 && !(policy && takesOthers(policy));
  const approved = isCounted
    ? say('card.votes-of', { count: progress?.given ?? votes.length, quorum, names })
    : say('card.votes', { count: votes.length, names });
  const outcome = votes.find((vote) => vote.outcome !== undefined)?.outcome;
  const chosen = outcome === undefined ? '' : say('card.votes-for', { outcome: escapedLine(outcome, 80) });
  return [approved, chosen, still].filter((part) => part !== '').join(' · ');
}

/** Whose approvals are missing; people who have approved aren't among them. */
function stillNeeded(
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

/** The notes of those who have approved, which the crew receives with the decision, a line each. */
export function noteLines(model: Pick<CardModel, 'stages' | 'votes'>, { name, say }: Words): string[] {
  return votesOn(model).flatMap(({ by, feedback }) => {
    const note = escapedLine(feedback ?? '', LONGEST_NOTE);
    return note === '' ? [] : [say('card.note', { name: nameIn(name, by), note })];
  });
}

const LONGEST_NOTE = 200;

/** Who else can decide since it was escalated or handed over, or while an approver is away. */
export function passedOn(model: CardModel, { policies, approverName }: Deciders, { name, say }: Words): string[] {
  const named = handOversUnder(policies, model.handedOver).map(({ to, by, until }) => ({
    to: nameIn(name, to),
    by: nameIn(name, by),
    until,
  }));
  const handed = named.flatMap(({ to, by, until }) => (until === null ? [say('card.handed-over-to', { to, by })] : []));
  const away = named.flatMap(({ to, by, until }) =>
    until === null ? [] : [say('card.stands-in', { to, by, date: slackDay(lastMoment(until), say) })],
  );
  return [
    ...escalatedLines(model, policies, { approverName, say }),
    ...(handed.length === 0 ? [] : [say('card.handed-over', { list: listed(handed, say) })]),
    ...away.slice(0, MOST_AWAY),
  ];
}

/** Why a request can't be completed now, a sentence for each of the rules of which that is true; none where it can. */
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

/** The approvers that shortages name. */
export function approversIn(shortages: readonly Shortage[]): Approver[] {
  return shortages.flatMap(({ approvers }) => approvers.map(parseApprover).filter((approver) => approver !== null));
}

/** Those who are left, as far as they are known: by their ids. */
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

/** Who last took back a vote or decision, and when; nothing where nobody has. */
export function retractedLines({ retracted }: Pick<CardModel, 'retracted'>, { name, say }: Words): string[] {
  if (!retracted) return [];
  const { kind, by, at } = retracted;
  const told = { name: nameIn(name, by), when: slackDate(at, say) };
  return [say(kind === 'decision' ? 'card.undone' : 'card.withdrawn', told)];
}

/** Says that the database has lost what people decided before it reached the crew; no line where it hasn't. */
export function lostLines({ lost }: Pick<CardModel, 'lost'>, { name, say }: Words): string[] {
  if (!lost) return [];
  return [
    say('card.lost', {
      names: listed(
        lost.map((person) => nameIn(name, person)),
        say,
      ),
    }),
  ];
}

/** The menu's entry to add an approver; null where the policy lets nobody. */
export function addApprover(
  policies: readonly Pick<Policy, 'delegation'>[],
  say: Say,
): { actionId: 'hand_over'; label: string } | null {
  const isKept = policies.length > 0 && policies.every(({ delegation }) => delegation === 'none');
  return isKept ? null : { actionId: 'hand_over', label: say('card.hand-over') };
}

function escalatedLines(
  { escalations }: CardModel,
  policies: readonly PossibleRules[],
  names: ApproverNames,
): string[] {
  const lines = policies.flatMap((policy) => {
    const at = escalations.find(({ rules }) => rules === policy.place)?.at;
    return at === undefined ? [] : [escalated(policy, slackDate(at, names.say), names)];
  });
  return [...new Set(lines)];
}

function escalated({ escalateTo }: Policy, when: string, { approverName, say }: ApproverNames): string {
  return escalateTo.length === 0
    ? say('card.escalated', { when })
    : say('card.escalated-to', { who: approverWords(escalateTo, approverName, { say }), when });
}
