// *Who can decide?*: the window that shows the rules of a request, the people, and whether the reader can decide.
import type { KnownBlock, ModalView } from '@slack/types';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { requestFactsOf } from '../../../core/policy/condition.ts';
import type { Crew } from '../../../core/policy/crew.ts';
import {
  causeOf,
  conditionsFor,
  doubtsAbout,
  type PossibleCause,
  rulesToShow,
} from '../../../core/policy/explained.ts';
import { findPermitted, standingOf } from '../../../core/policy/permission.ts';
import type { Permit } from '../../../core/policy/permits.ts';
import {
  type Approver,
  type CrewPolicy,
  namedInStages,
  type Policy,
  quorumNow,
  type StagePolicy,
  stepsOf,
} from '../../../core/policy/policy.ts';
import { stagesBefore } from '../../../core/policy/progress.ts';
import { type Refusal, whyClosed } from '../../../core/policy/refusal.ts';
import { findRules, type RequestRules } from '../../../core/policy/rules.ts';
import { hasOthers, type PolicyStatement, policyStatements } from '../../../core/policy/statements.ts';
import { findRequest } from '../../../core/state/execution.ts';
import { allVotes, type Person } from '../../../core/state/request.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import type { Say } from '../../language/say.ts';
import { showModal } from '../../listening/answers.ts';
import { clickOf } from '../../listening/click.ts';
import type { ActionListener, ListenerContext } from '../../listening/context.ts';
import { actorsText, stageName } from '../../request/card-state.ts';
import { findPermission, refusalWithoutRun } from '../../request/change-request.ts';
import { reasonLines } from '../../request/counting-conditions.ts';
import { findDenialDetails, nextStep } from '../../request/denial.ts';
import { ownApprovalOf, ownRightText } from '../../request/own-right.ts';
import { policySentence } from '../../request/policy-sentences.ts';
import { showRefusal } from '../../request/refusal.ts';
import { type Deciders, delegationLines, possibleText, votesSoFar } from '../../request/who-decides.ts';
import { bulleted, context, divider, section } from '../../ui/blocks.ts';
import { parseApprovalValue, type RequestKey } from '../../ui/button-value.ts';
import { modal, nextStepButtons } from '../../ui/modal.ts';
import type { ApproverName } from '../../ui/person.ts';
import { escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { approverLines, findPeopleBehind } from './approver-people.ts';

/** Shows the window. Changes nothing. */
export const onWhoCanDecide: ActionListener = async ({ ack, body, context }) => {
  const click = clickOf(body);
  const judged = await findJudged(context, parseApprovalValue(click.value), context.person);
  await ack();
  if (!judged.ok) await showRefusal(context, click, { refusal: judged.refusal, action: 'do' });
  else await showModal(context, click, await viewOf(context, judged.value));
};

interface JudgedRequest extends RequestRules {
  key: RequestKey;
  by: Person;
  crewPolicy: CrewPolicy;
  permit: Permit;
}

/** Judges the person by the rules of the request. Strangers only learn that it isn't for them. */
async function findJudged(
  context: ListenerContext,
  key: RequestKey | null,
  by: Person,
): Promise<Result<JudgedRequest, Refusal>> {
  const record = key && (await context.store.load(key.ref));
  if (!key || !record) return refuse(await refusalWithoutRun(context, by));
  const { execution, now } = record;
  const { facts, ...crewRules } = await findPermission(context, execution, [by.id]);
  const permitted = findPermitted(execution, key.approvalId, { personId: by.id, now, facts, ...crewRules });
  const request = findRequest(execution, key.approvalId);
  const isStranger =
    !permitted.ok && permitted.refusal.kind === 'denied' && permitted.refusal.denial.kind === 'stranger';
  const isJudged = permitted.ok || permitted.refusal.kind === 'denied';
  if (!request || !isJudged || isStranger) return permitted.ok ? refuse({ kind: 'unknown' }) : permitted;
  const rules = findRules(crewRules, { execution, request, now });
  const standing = standingOf(rules, facts, by.id);
  const { crewPolicy } = rules;
  if (!standing || !crewPolicy) return refuse({ kind: 'crew-missing', crew: execution.crew });
  return ok({ ...rules, crewPolicy, key, by, permit: standing.permit });
}

async function viewOf(context: ListenerContext, judged: JudgedRequest): Promise<ModalView> {
  const { by, execution, request, crewPolicy, subject } = judged;
  const doubts = doubtsAbout(judged);
  const policies = rulesToShow(judged.policies, doubts);
  const facts = requestFactsOf(execution, request);
  const model = cardModel(execution, request);
  const now = Date.now();
  const steps = policies.flatMap((policy) =>
    stepsOf(policy).map((rules, i) => ({ policy, rules, stage: i, isOpen: i === policy.stage })),
  );
  const people = [
    ...allVotes(request.discussion).map((vote) => vote.by),
    ...request.discussion.handedOver.flatMap((each) => [each.to, each.by]),
  ];
  const [approverName, behind, name, say] = await Promise.all([
    context.directory.approverNames(policies.flatMap(namedInStages)),
    findNamed(
      context,
      by,
      steps.map(({ policy, rules, isOpen }) => ({
        rules: { ...policy, ...rules, isEscalated: isOpen && policy.isEscalated },
        subject,
        channel: execution.channel,
        now,
      })),
    ),
    context.namesOf(...people),
    context.say(),
  ]);
  const { you, more } = await verdictOn(context, judged, {
    approverName,
    isStaged: policies.some(({ stages }) => stages.length > 1),
  });
  const deciders: Deciders = { policies, doubts, starter: null, approverName };
  return whoModal({
    crew: execution.crew,
    taskName: request.question.taskName,
    unknown: doubts.length > 0 ? possibleText(model, deciders, say) : null,
    why: reasonLines(conditionsFor(crewPolicy, facts), say),
    rules: rulesIn(context.crews.get(execution.crew), { policies, starterId: subject.starterId, approverName, say }),
    steps: steps.map(({ policy, rules, stage, isOpen }, i): WhoStep => {
      const stageWords = { number: stage + 1, stage: stageName(rules.name) };
      const cause = doubts.length > 0 && stage === 0 ? causeText(causeOf(crewPolicy, facts, policy.place), say) : null;
      const done = stagesBefore(request.discussion.stages, policy)[stage];
      if (stage < policy.stage) {
        const heading = say('who.stage-done', { ...stageWords, names: actorsText(done?.votes ?? [], { name, say }) });
        // A complete stage needs nobody any more.
        return {
          heading: `☑️ ${cause === null ? heading : `${cause}\n${heading}`}`,
          people: [],
          also: [],
          approved: '',
        };
      }
      const stageLine = policy.stages.length > 1 ? say(isOpen ? 'who.stage-open' : 'who.stage', stageWords) : null;
      const heading = [cause, stageLine].filter((part) => part !== null).join('\n');
      const isFirst = steps.findIndex((step) => step.isOpen) === i;
      return {
        heading: heading === '' ? null : heading,
        people: peopleIn(rules, isOpen && policy.isEscalated, { behind: behind[i] ?? new Map(), approverName, say }),
        also: isOpen && isFirst ? delegationLines(model, deciders, { name, say }) : [],
        approved:
          isOpen && isFirst && request.discussion.votes.length > 0 ? votesSoFar(model, deciders, { name, say }) : '',
      };
    }),
    you,
    more,
    say,
  });
}

/** Lists the people who have to approve in one step. If one person of each group has to, that is a part of its own. */
function peopleIn(
  rules: StagePolicy,
  isEscalated: boolean,
  wording: Parameters<typeof approverLines>[1],
): WhoStep['people'] {
  const { say } = wording;
  const { quorum: count, allOf } = rules;
  const lines = approverLines(quorumNow({ ...rules, isEscalated }), wording);
  if (allOf.length === 0) return [{ needed: say('who.some', { count }), lines }];
  const each = { needed: say('who.each'), lines: approverLines(allOf, wording) };
  return hasOthers(rules) || count > allOf.length ? [{ needed: say('who.some', { count }), lines }, each] : [each];
}

/** Finds the people behind the groups of each step. Guests only see the groups, since they don't see who else is in the workspace. */
async function findNamed(
  context: ListenerContext,
  { id }: Person,
  steps: readonly Parameters<typeof findPeopleBehind>[1][],
): Promise<Awaited<ReturnType<typeof findPeopleBehind>>[]> {
  const account = await context.directory.account(id);
  const mayKnow = account && !account.isGuest && !account.isStranger;
  return mayKnow ? Promise.all(steps.map((step) => findPeopleBehind(context, step))) : [];
}

/** Says when the rules of one of several places would apply. */
function causeText({ task, condition }: PossibleCause, say: Say): string {
  if (condition) return `*${say('who.if-condition', { condition: escapedLine(condition.text, 200) })}*`;
  return `*${task === null ? say('who.otherwise') : say('who.if-task', { task: escapedLine(task, 80) })}*`;
}

/** Returns the number of approvals, and all other rules that are about this run. Plain text. */
function rulesIn(
  crew: Crew | undefined,
  {
    policies,
    starterId,
    ...words
  }: { policies: readonly Policy[]; starterId: string | null; approverName: ApproverName; say: Say },
): WhoCanDecide['rules'] {
  const { approverName, say } = words;
  const wording = { say, nameOf: ({ name }: Approver) => approverName(name), inputs: 'known' as const };
  const statements = crew ? policies.flatMap((policy) => policyStatements({ policy, crew })) : [];
  const left = [...DECIDERS, ...(starterId === null ? [] : ['elsewhere'])];
  const others = statements.filter(({ kind }) => !left.includes(kind));
  const sentences = others.map((rule) => policySentence(rule, wording));
  const [policy, ...more] = policies;
  const needed = policy && more.length === 0 ? neededIn(policy, wording) : say('who.each-rules');
  return { needed, others: [...new Set(sentences)] };
}

/** Says how many have to approve. The list of people follows. */
function neededIn(policy: Policy, wording: Parameters<typeof policySentence>[1]): string {
  const { say } = wording;
  const { stages, quorum: count, allOf } = policy;
  if (stages.length > 1) return say('policy.stages', { count: stages.length });
  if (allOf.length === 0) return say('who.needed', { count });
  if (hasOthers(policy) || count > allOf.length) return say('who.several');
  return policySentence({ kind: 'deciders', ...policy }, wording);
}

/** The list of people says these rules itself. */
const DECIDERS: readonly PolicyStatement['kind'][] = ['deciders', 'stages', 'stage'];

async function verdictOn(
  context: ListenerContext,
  { key, by, execution, request, permit }: JudgedRequest,
  { approverName, isStaged }: { approverName: ApproverName; isStaged: boolean },
): Promise<Pick<Parameters<typeof whoModal>[0], 'you' | 'more'>> {
  const say = await context.say();
  if (whyClosed(request)) return { you: `⏹️ ${say('right.closed')}`, more: [] };
  const denial = permit.kind === 'denied' ? permit.denial : null;
  const details = await findDenialDetails(context, { you: by.id, denial, execution, request });
  const approved = ownApprovalOf(request.discussion, by, { isStaged });
  const you = ownRightText(permit, { ...details, approverName, approved });
  return { you, more: denial ? nextStepButtons(nextStep(denial, { key, crew: execution.crew }), say) : [] };
}

/** The content of the window. Everything but the rules is mrkdwn with escaped names. */
interface WhoCanDecide extends Pick<CardModel, 'crew' | 'taskName'> {
  /** Missing approvals while we don't know which rules apply. Default: we do. */
  unknown?: string | null;
  /** Number of approvals, and the other rules, in plain sentences. */
  rules: { needed: string; others: readonly string[] };
  /** Reasons why these rules apply, a line each. */
  why?: readonly string[];
  /** The stages in their order. */
  steps: readonly WhoStep[];
  /** Says whether this person can decide, and why. */
  you: string;
  /** Buttons for this person. */
  more: readonly KnownBlock[];
  say: Say;
}

interface WhoStep {
  /** Null for a single step. */
  heading: string | null;
  /** People who can decide, a line each, below the number that is needed. */
  people: readonly { needed: string; lines: readonly string[] }[];
  /** People who can decide since an escalation or a handover. */
  also: readonly string[];
  /** People who have approved. Empty if nobody has. */
  approved: string;
}

export function whoModal({ crew, taskName, unknown = null, you, more, say, ...who }: WhoCanDecide): ModalView {
  const task = taskName ? ` · ${say('text.quoted', { text: escapedLine(taskName, 120) })}` : '';
  const { rules, steps, why = [] } = who;
  return modal(say, {
    callbackId: 'who_can_decide',
    title: say('card.who'),
    blocks: [
      context(`*${escapedLine(crew, 80)}*${task}`),
      section(you),
      ...more,
      ...(unknown === null ? [] : [section(unknown)]),
      ...(why.length === 0 ? [] : [context(why.join('\n'))]),
      section(`*${escapeMrkdwn(rules.needed)}*`),
      ...steps.flatMap((step) =>
        stepBlocks(step, Math.floor((steps.length > 1 ? MOST_LINES_OF_STAGES : MOST_LINES) / steps.length)),
      ),
      ...(rules.others.length === 0 ? [] : [divider()]),
      ...bulleted(rules.others.map(escapeMrkdwn)).map(section),
    ],
  });
}

function stepBlocks({ heading, people, also, approved }: WhoStep, mostLines: number): KnownBlock[] {
  const done = approved === '' ? [] : [`☑️ ${approved}`];
  if (people.length === 0) return heading === null ? [] : [section(heading)];
  const isPlain = heading === null && people.length === 1;
  const lines = people.flatMap(({ needed, lines: each }, i) => {
    const first = [...(i === 0 && heading !== null ? [heading] : []), ...(isPlain ? [] : [needed])];
    const others = i === people.length - 1 ? also : [];
    const bullets = bulleted([...each.slice(0, Math.floor(mostLines / people.length)), ...others]);
    const [beginning = '', ...rest] = bullets;
    return [[...first, beginning].join('\n'), ...rest];
  });
  return [...lines, ...done].map(section);
}

/** A modal holds so many lines with everything else. */
const MOST_LINES = 40;
const MOST_LINES_OF_STAGES = 20;
