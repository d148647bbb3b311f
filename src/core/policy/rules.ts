// The one place that finds the rules of a request: everything that judges, plans or shows a request takes what `findRules` returns.

import type { PolicyFacts } from '../ledger/entry.ts';
import { type Execution, starterOf } from '../state/execution.ts';
import type { HandOver, HumanRequest } from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import type { WorkingHours } from '../values/working-hours.ts';
import { type RequestFacts, requestFactsOf } from './condition.ts';
import { type Crew, type RulesOf, WORKFLOW, WORKFLOW_POLICY } from './crew.ts';
import type { CrewRules, Notify } from './crew-rules.ts';
import { policyHash } from './document.ts';
import { areSure, type PossibleRules, possibleForTask, possibleRules, seenFor } from './in-force.ts';
import type { Delegation, Subject } from './permits.ts';
import type { CrewPolicy } from './policy.ts';

/** Returns what finds a crew's rules by its name. What Slack's workflows ask without a crew has rules of its own. */
export function createRulesOf(
  crews: ReadonlyMap<string, Crew>,
  keepTexts: 'retention' | 'attach' = 'retention',
): RulesOf {
  return (name) => {
    const crew = crews.get(name);
    if (!crew) return { policy: name === WORKFLOW ? WORKFLOW_POLICY : null, hours: null, keepTexts };
    const { approval: policy, hours, notify, startedElsewhere } = crew;
    return { policy, hours, notify, keepTexts, startedElsewhere };
  };
}

/** The part of a crew's rules that says who may decide a request, and when. Without hours, all time counts. */
export type DecisionRules = Pick<CrewRules, 'policy' | 'notify'> & Partial<Pick<CrewRules, 'hours'>>;

/** A request with the rules that judge it, and the facts that these rules need. */
export interface RequestRules<Each extends HumanRequest = HumanRequest> {
  execution: Execution;
  request: Each;
  /** The rules that may apply: several until it is known which do, none while the crew isn't configured and nobody may decide. */
  policies: readonly PossibleRules[];
  subject: Subject;
  hours: WorkingHours | null;
  notify: Notify;
  /** The rules of the whole crew, which the ledger names; null while it isn't configured. */
  crewPolicy: CrewPolicy | null;
}

/** A request of an execution as it is stored, or as a transition has just changed it. */
interface Stored<Each extends HumanRequest> {
  execution: Execution;
  request: Each;
  /** Hand-overs that have ended before this instant don't count. */
  now: Millis;
}

/** Returns the rules in force for a request. A changed request may have others, such as those of the next stage. */
export function findRules<Each extends HumanRequest>(
  { policy: crewPolicy, hours = null, notify = 'mention' }: DecisionRules,
  { execution, request, now }: Stored<Each>,
): RequestRules<Each> {
  const policies = crewPolicy === null ? [] : rememberedPolicies(crewPolicy, { execution, request });
  return { execution, request, policies, subject: subjectOf(execution, request, now), hours, notify, crewPolicy };
}

/** Returns the rules of a request that has changed since its rules were found. */
export function findRulesAgain<Each extends HumanRequest>(
  { crewPolicy: policy, hours, notify }: RequestRules,
  stored: Stored<Each>,
): RequestRules<Each> {
  return findRules({ policy, hours, notify }, stored);
}

/** Returns the rules that may apply to an entry of a list, which has only a part of the request. */
export function policiesOfListed(policy: CrewPolicy | null, request: RequestFacts): readonly PossibleRules[] {
  return policy === null ? [] : (possibleForTask(policy, request) ?? possibleRules(policy, request));
}

/** A cache by the request's state: each change makes a new object, and several transitions and views look at the same one. */
const REMEMBERED = new WeakMap<HumanRequest, Pick<RequestRules, 'execution' | 'crewPolicy' | 'policies'>>();

function rememberedPolicies(
  crewPolicy: CrewPolicy,
  { execution, request }: Omit<Stored<HumanRequest>, 'now'>,
): readonly PossibleRules[] {
  const cached = REMEMBERED.get(request);
  if (cached?.execution === execution && cached.crewPolicy === crewPolicy) return cached.policies;
  const { taskId, taskName, isTitled } = request.question;
  const { times } = request.discussion;
  const escalated = times.escalations.map(({ rules }) => rules);
  const ofTask = possibleForTask(crewPolicy, { taskId, taskName, isTitled, escalated });
  const policies = ofTask ?? possibleRules(crewPolicy, requestFactsOf(execution, request));
  REMEMBERED.set(request, { execution, crewPolicy, policies });
  return policies;
}

/** Returns what a policy needs to know about a request. */
function subjectOf(execution: Execution, { discussion: { handedOver } }: HumanRequest, now: Millis): Subject {
  return { starterId: starterOf(execution)?.id ?? null, handedOver: delegationsOf({ handedOver }, now) };
}

/** Returns the hand-overs that still count. One for an absence ends with it. */
export function delegationsOf({ handedOver }: { handedOver: readonly HandOver[] }, now: Millis): Delegation[] {
  const counting = handedOver.filter(({ until }) => until === null || now < until);
  return counting.map(({ by, to }) => ({ by: by.id, to: to.id }));
}

/** Returns the hash by which the ledger names the rules of a request, and the values that selected them. */
export function policyFacts({ execution, request, policies, crewPolicy }: RequestRules): PolicyFacts {
  const seen = crewPolicy && !areSure(policies) && seenFor(crewPolicy, requestFactsOf(execution, request));
  return { policy: policyHash(crewPolicy), ...(seen && { seen }) };
}
