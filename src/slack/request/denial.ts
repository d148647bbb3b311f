// Says why the policy doesn't let a person do something, and what they can do instead. All refusals by the policy come from here.

import { NO_STEP } from '../../core/messages/private-answers.ts';
import type { PossibleRules } from '../../core/policy/in-force.ts';
import type { Denial } from '../../core/policy/permits.ts';
import { approversUnder, handOversUnder } from '../../core/policy/policy.ts';
import { type ApprovedStage, stageApprovedBy } from '../../core/policy/progress.ts';
import { findRules, type RequestRules } from '../../core/policy/rules.ts';
import { type Execution, type NextStep, starterOf } from '../../core/state/execution.ts';
import { allVotes, type Discussion, type HumanRequest, type Person } from '../../core/state/request.ts';
import type { Say } from '../language/say.ts';
import type { ListenerContext } from '../listening/context.ts';
import type { RequestKey } from '../ui/button-value.ts';
import { approverWords, nameIn } from '../ui/person.ts';
import { escapedLine } from '../ui/text/escape.ts';
import { stageNames } from './card-state.ts';

/** The facts that a sentence about a denial needs. Names are escaped. */
export interface DenialDetails {
  /** The action: to decide `this` request or a crew's `requests`, or to `start` the crew. */
  what: 'this' | 'requests' | 'start';
  /** Id of the person who acted. Left out if nobody else's rights matter. */
  you?: string;
  /** Null or left out if the run was started elsewhere, or there is none. */
  starterId?: string | null;
  crew: string | null;
  /** The other person whom the denial is about. Null or left out if it is about nobody else. */
  other?: string | null;
  /** A stage that the person has approved, and the one that is open now. */
  stage?: ApprovedStage | null;
  /** People who can decide: `@leads and Aiko`. Null or left out if nobody may be named. */
  whoCan?: string | null;
  say: Say;
}

/** Says why the policy doesn't let a person act, and who can. Mrkdwn. */
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
      return `${say(details.starterId == null ? 'denial.self-approval-elsewhere' : 'denial.self-approval')}${others}`;
    case 'guest':
    case 'not-approver':
      return `${say(`denial.${denial.kind}`, { what, crew })}${others}`;
    case 'giver-denied':
      return `${say('denial.giver-denied', { name: other })}${others}`;
    case 'no-delegation':
      return `${say('denial.no-delegation', { name: other, allowed: denial.allowed })}${others}`;
    case 'right-used': {
      const { stage } = details;
      // The rules of the open stage let the person reject, but not approve.
      if (stage) return `${say('denial.stage-approved', stageNames(stage))} ${say('denial.can-reject')}${others}`;
      return `${say('denial.right-used', { name: other })}${others}`;
    }
    case 'no-token':
      return say('denial.no-token', { command: `\`${`${say.kickoff} connect ${crew}`.trim()}\`` });
    case 'unsure':
      return unsureText(denial, { say, ...details });
  }
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

/** Says why a person can't take over a request. `who`: their name. */
export function takeOverText(denial: Denial, { who, say }: { who: string; say: Say }): string {
  const isWithoutRight = denial.kind === 'giver-denied' || denial.kind === 'right-used';
  return say(`take-over.${isWithoutRight ? 'not-approver' : denial.kind}`, { who });
}

type DenialContext = Pick<ListenerContext, 'rulesOf' | 'directory' | 'namesOf' | 'say'>;

/** `denial`: null for a refusal of another kind, which names nobody. */
interface DeniedRequest {
  you: string;
  denial: Denial | null;
  execution: Execution | null;
  request: HumanRequest | null;
}

/** Finds the facts that a sentence about a denial needs. */
export async function findDenialDetails(
  context: DenialContext,
  { you, denial, execution, request }: DeniedRequest,
): Promise<DenialDetails> {
  // While Slack can't tell who may decide, it isn't asked for names either. Strangers don't learn them.
  const isNamed =
    denial &&
    canAsk(denial) &&
    execution &&
    request?.state.status === 'pending' &&
    !request.discussion.undecidable?.isLeftToNobody;
  const say = await context.say();
  const other = denial && request && otherPersonIn(denial, request.discussion);
  const policies = execution && request ? rulesNow(context, execution, request).policies : [];
  const handedTo = handOversUnder(policies, request?.discussion.handedOver ?? []).map(({ to }) => to);
  const isOwn = denial?.kind === 'right-used' && denial.by === you;
  const stages = isOwn && request ? policies.map((policy) => stageApprovedBy(request.discussion, policy, you)) : [];
  return {
    what: 'this',
    you,
    other: other && nameIn(await context.namesOf(other), other),
    starterId: (execution && starterOf(execution)?.id) ?? null,
    crew: execution && escapedLine(execution.crew, 80),
    stage: stages.find(Boolean) ?? null,
    whoCan: isNamed && policies.length > 0 ? await approversText(context, { policies, handedTo, say }) : null,
    say,
  };
}

/** Returns the other person whom a denial is about; null if it is about the person themselves. */
export function otherPersonIn(
  denial: Denial,
  { handedOver, ...approval }: Pick<Discussion, 'votes' | 'stages' | 'handedOver'>,
): Person | null {
  if (denial.kind === 'giver-denied' || denial.kind === 'no-delegation')
    return handedOver.find(({ by }) => by.id === denial.giver)?.by ?? null;
  return denial.kind === 'right-used' ? (allVotes(approval).find(({ by }) => by.id === denial.by)?.by ?? null) : null;
}

/** Returns the rules of a request as they are now. */
export function rulesNow(
  { rulesOf }: Pick<ListenerContext, 'rulesOf'>,
  execution: Execution,
  request: HumanRequest,
): RequestRules {
  return findRules(rulesOf(execution.crew), { execution, request, now: Date.now() });
}

/** Names the people whom the rules themselves let decide, escaped: `@leads and Aiko`. Null if nobody may be named. */
export async function findOwners(
  context: DenialContext,
  execution: Execution | null,
  request: HumanRequest | null,
): Promise<string | null> {
  const policies = execution && request ? rulesNow(context, execution, request).policies : [];
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

/** Returns true if this person can ask others, and may know them. */
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

/** Returns the next step of a person who can't decide: to ask others, or to connect the token that the crew needs. */
export function nextStep(denial: Denial, { key, crew }: { key: RequestKey; crew: string }): NextStep {
  if (denial.kind === 'no-token') return { kind: 'connect', crew };
  return canAsk(denial) ? { kind: 'ask', ...key } : NO_STEP;
}
