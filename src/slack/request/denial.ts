// Why the policy says no to a person, and what they can do instead.

import { NO_STEP } from '../../core/messages/private-answers.ts';
import type { Denial } from '../../core/policy/evaluate.ts';
import type { PossibleRules } from '../../core/policy/in-force.ts';
import { approversUnder, handOversUnder } from '../../core/policy/policy.ts';
import { type ApprovedStage, stageApprovedBy } from '../../core/policy/progress.ts';
import { findRules, type RequestRules } from '../../core/policy/rules.ts';
import { type Approval, allVotes, type Person } from '../../core/state/approval.ts';
import { type Execution, type NextStep, starterOf } from '../../core/state/execution.ts';
import type { Say } from '../language/say.ts';
import type { ListenerContext } from '../listening/context.ts';
import type { ApprovalKey } from '../ui/button-value.ts';
import { approverWords, nameIn } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { stageNames } from './card-state.ts';

/** What a denial is about, as the person who acted sees it. */
export interface DenialDetails {
  /** What they can't do: decide `this` request or a crew's `requests`, or `start` the crew. */
  what: 'this' | 'requests' | 'start';
  /** The id of the person who acted; left out where nobody else's rights matter. */
  you?: string;
  /** Null or left out if the run was started elsewhere, or there is none. */
  starterId?: string | null;
  /** The name of the crew, escaped; null if it isn't known. */
  crew: string | null;
  /** The name of the other person whom the denial is about, escaped; null or left out if it is about nobody else. */
  other?: string | null;
  /** A stage that they have approved themselves, and the one that is open by now; left out where there is none. */
  stage?: ApprovedStage | null;
  /** Those who can decide, escaped, in the form `@leads and Aiko`; null or left out where nobody is to be named. */
  whoCan?: string | null;
  say: Say;
}

/** Why the policy says no to a person, and who can; mrkdwn. The same words wherever people are told. */
export function denialText(denial: Denial, { what, whoCan = null, say, ...details }: DenialDetails): string {
  const crew = details.crew ?? '';
  const other = details.other ?? '';
  const others = whoCan === null ? '' : ` ${say('denial.who-can', { people: whoCan })}`;
  switch (denial.kind) {
    case 'stranger':
      return say('denial.stranger');
    case 'bot':
    case 'deactivated':
      return say(`denial.${denial.kind}`, { what, crew });
    case 'self-approval':
      return `${say((details.starterId ?? null) === null ? 'denial.self-approval-elsewhere' : 'denial.self-approval')}${others}`;
    case 'guest':
    case 'not-approver':
      return `${say(`denial.${denial.kind}`, { what, crew })}${others}`;
    case 'giver-denied':
      return `${say('denial.giver-denied', { name: other })}${others}`;
    case 'no-delegation':
      return `${say('denial.no-delegation', { name: other, allowed: denial.allowed })}${others}`;
    case 'right-used':
      return `${details.stage ? stageText(details.stage, say) : say('denial.right-used', { name: other })}${others}`;
    case 'no-token':
      return say('denial.no-token', { command: `\`${`${say.kickoff} connect ${crew}`.trim()}\`` });
    case 'unsure':
      return unsureText(denial, { say, ...details });
  }
}

/** The rules of the open stage let them decide, but for approving it. */
function stageText(stage: ApprovedStage, say: Say): string {
  return `${say('denial.stage-approved', stageNames(stage))} ${say('denial.can-reject')}`;
}

function unsureText(
  { personId, approver, starter }: Extract<Denial, { kind: 'unsure' }>,
  { you, starterId, say }: Pick<DenialDetails, 'you' | 'starterId' | 'say'>,
): string {
  if (starter !== undefined) return say('denial.unsure-elsewhere', { name: escapedLine(starter, 80) });
  if (you !== undefined && personId !== you)
    return say(personId === starterId ? 'denial.unsure-starter' : 'denial.unsure-voters');
  if (approver === null) return say('denial.unsure-you');
  if (approver === 'channel') return say('denial.unsure-channel');
  if (/^S[A-Z0-9]+$/.test(approver)) return say('denial.unsure-group');
  const name = escapedLine(approver, 80);
  const isEmail = !approver.startsWith('@') && approver.includes('@');
  return isEmail ? say('denial.unsure-email', { email: name }) : say('denial.unsure-member', { group: name });
}

/** Why a person can't take over a request; `who` is their name. */
export function takeOverText(denial: Denial, { who, say }: { who: string; say: Say }): string {
  const isWithoutRight = denial.kind === 'giver-denied' || denial.kind === 'right-used';
  return say(`take-over.${isWithoutRight ? 'not-approver' : denial.kind}`, { who });
}

type DenialContext = Pick<ListenerContext, 'rulesOf' | 'directory' | 'namesOf' | 'say'>;

interface Denied {
  you: string;
  /** Null for a refusal of another kind, which names nobody. */
  denial: Denial | null;
  execution: Execution | null;
  approval: Approval | null;
}

/** What it takes to tell a person why the policy says no, and whom to ask instead. */
export async function findDenialDetails(context: DenialContext, denied: Denied): Promise<DenialDetails> {
  const { you, denial, execution, approval } = denied;
  // While Slack can't tell who may decide, it isn't asked for names either; strangers don't learn them.
  const isTold =
    denial && canAsk(denial) && execution && approval?.status === 'pending' && !approval.undecidable?.isLeftToNobody;
  const say = await context.say();
  const other = denial && approval && otherIn(denial, approval);
  const rules = execution && approval && rulesNow(context, execution, approval);
  const policies = rules?.policies ?? [];
  const handedTo = handOversUnder(policies, approval?.handedOver ?? []).map(({ to }) => to);
  const isOwn = denial?.kind === 'right-used' && denial.by === you;
  return {
    what: 'this',
    you,
    other: other && nameIn(await context.namesOf(other), other),
    starterId: (execution && starterOf(execution)?.id) ?? null,
    crew: execution && escapedLine(execution.crew, 80),
    stage:
      isOwn && rules
        ? (policies.map((policy) => stageApprovedBy(rules.request, policy, you)).find(Boolean) ?? null)
        : null,
    whoCan: isTold && policies.length > 0 ? await approversText(context, { policies, handedTo, say }) : null,
    say,
  };
}

/** The other person whom a denial is about; null if it is about nobody else. */
export function otherIn(
  denial: Denial,
  { handedOver, ...approval }: Pick<Approval, 'votes' | 'stages' | 'handedOver'>,
): Person | null {
  if (denial.kind === 'giver-denied' || denial.kind === 'no-delegation')
    return handedOver.find(({ by }) => by.id === denial.giver)?.by ?? null;
  return denial.kind === 'right-used' ? (allVotes(approval).find(({ by }) => by.id === denial.by)?.by ?? null) : null;
}

/** The rules of a request as they are now. */
export function rulesNow(
  { rulesOf }: Pick<ListenerContext, 'rulesOf'>,
  execution: Execution,
  request: Approval,
): RequestRules {
  return findRules(rulesOf(execution.crew), { execution, request, now: Date.now() });
}

/** Those whom the rules themselves let decide a request, escaped, in the form `@leads and Aiko`; null where nobody is to be named. */
export async function findOwners(
  context: DenialContext,
  execution: Execution | null,
  approval: Approval | null,
): Promise<string | null> {
  const policies = execution && approval ? rulesNow(context, execution, approval).policies : [];
  if (policies.length === 0) return null;
  return approversText(context, { policies, handedTo: [], say: await context.say() });
}

async function approversText(
  { directory, namesOf }: DenialContext,
  { policies, handedTo, say }: { policies: readonly PossibleRules[]; handedTo: readonly Person[]; say: Say },
): Promise<string> {
  const approvers = approversUnder(policies);
  const [approverName, name] = await Promise.all([directory.approverNames(approvers), namesOf(...handedTo)]);
  const others = handedTo.map((to) => nameIn(name, to));
  return approverWords(approvers, approverName, { others, say });
}

/** Whether it helps this person to ask others, and they may know whom. */
export function canAsk({ kind }: Denial): boolean {
  switch (kind) {
    case 'guest':
    case 'self-approval':
    case 'not-approver':
    case 'giver-denied':
    case 'no-delegation':
    case 'right-used':
      return true;
    case 'stranger':
    case 'bot':
    case 'deactivated':
    case 'no-token':
    case 'unsure':
      return false;
  }
}

/** What a person can do who can't decide a request: ask others, or connect the token that the crew wants. */
export function nextStep(denial: Denial, { key, crew }: { key: ApprovalKey; crew: string }): NextStep {
  if (denial.kind === 'no-token') return { kind: 'connect', crew };
  return canAsk(denial) ? { kind: 'ask', ...key } : NO_STEP;
}
