import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import { type Crew, isDeployed } from '../../../core/policy/crew.ts';
import { doubtsAbout } from '../../../core/policy/explained.ts';
import { standingOf } from '../../../core/policy/permission.ts';
import { type Facts, mayStart, type Permit, permits } from '../../../core/policy/permits.ts';
import { type Approver, handOversUnder, namedInStages, stepsOf } from '../../../core/policy/policy.ts';
import { findRules } from '../../../core/policy/rules.ts';
import {
  changedStatements,
  conditionStatements,
  type PolicyStatement,
  policyStatements,
  starterStatement,
  unlike,
} from '../../../core/policy/statements.ts';
import { type Execution, starterOf, threadTsOf } from '../../../core/state/execution.ts';
import { cardTsOf } from '../../../core/state/message.ts';
import { allVotes, type HumanRequest, type Person } from '../../../core/state/request.ts';
import { groupBy } from '../../../core/values/group-by.ts';
import { permalink } from '../../api/identity.ts';
import { gatherFacts } from '../../directory/directory.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { missingCrewText, requestTitle, stageName } from '../../request/card-state.ts';
import { findPermission } from '../../request/change-request.ts';
import { otherPersonIn } from '../../request/denial.ts';
import { ownApprovalOf, ownRightText } from '../../request/own-right.ts';
import { policySentence } from '../../request/policy-sentences.ts';
import { type Deciders, whoDecides } from '../../request/who-decides.ts';
import { bulleted, context, fittingTexts, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { MESSAGE_BLOCKS, TEXT_LIMIT } from '../../ui/limits.ts';
import { answerMessage } from '../../ui/modal.ts';
import { listed, type NameOf, nameIn } from '../../ui/person.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

// `/kickoff who`: who can start a crew and decide its requests, or who can decide what waits in a channel.

/** Answers for a crew, or, without one, for the channel. `command-line.ts` has refused names of unknown crews. */
export async function whoCan(
  context: ListenerContext,
  { crew: name, channel }: { crew: string | null; channel: string },
): Promise<Rendered> {
  const crew = name === null ? undefined : context.crews.get(name);
  return crew ? crewAnswer(context, crew, channel) : channelAnswer(context, channel);
}

const NO_RUN = { starterId: null, handedOver: [] };

/** Says who may start a crew in a channel and decide its requests there, and whether the person who asks may. @throws {StoreUnavailable} */
async function crewAnswer(context: ListenerContext, crew: Crew, channel: string): Promise<Rendered> {
  const { directory, connectedTo, person: by } = context;
  const policies = [crew.approval, ...crew.approval.tasks].flatMap((level) => [level, ...level.when]);
  const approvers = [...crew.starters, ...policies.flatMap(namedInStages)];
  const [answers, isConnected, approverName] = await Promise.all([
    gatherFacts(directory, { people: [by.id], approvers, channel }),
    crew.requireUserToken && connectedTo(crew.name, by.id),
    directory.approverNames(approvers),
  ]);
  const facts = { ...answers, connected: crew.requireUserToken ? new Set(isConnected ? [by.id] : []) : null };
  const say = await context.say();
  const wording = { crew: escapedLine(crew.name, 80), approverName, say };
  const { permit, stages } = permitFor(crew, by.id, facts);
  return crewRulesMessage(crew, {
    approverName,
    say,
    canStart: isDeployed(crew)
      ? ownRightText(mayStart(crew, by.id, facts), { ...wording, what: 'start' })
      : say('start.only-asks', { crew: wording.crew }),
    canDecide: [
      ownRightText(permit, { ...wording, what: 'requests' }),
      ...(stages.length === 0 ? [] : [say('right.stages', { stages: listed(stages, say) })]),
      ...(crew.approval.when.length === 0 ? [] : [say('right.conditions')]),
    ].join(' '),
  });
}

/**
 * Judges a person by the usual rules, as if others had started the runs: by the first stage that they can approve, otherwise by the
 * first. `stages` has the escaped names of the stages that they can approve.
 */
function permitFor({ approval }: Crew, personId: string, facts: Facts): { permit: Permit; stages: string[] } {
  const steps = stepsOf(approval).map((step) => ({
    name: `*${stageName(step.name)}*`,
    permit: permits({ ...step, selfApproval: true, isEscalated: false }, NO_RUN, personId, facts),
  }));
  const permitted = steps.filter(({ permit }) => permit.kind === 'permitted');
  // There is always a step; the compiler doesn't know.
  const judged = { ...approval, selfApproval: true as const, isEscalated: false };
  const permit = [...permitted, ...steps][0]?.permit ?? permits(judged, NO_RUN, personId, facts);
  return { permit, stages: approval.stages.length > 1 ? permitted.map(({ name }) => name) : [] };
}

/** Says who can decide the requests that wait in a channel, and whether the person who asks can. @throws {StoreUnavailable} */
async function channelAnswer(context: ListenerContext, channel: string): Promise<Rendered> {
  const executions = await context.store.openIn(channel);
  const say = await context.say();
  const waiting = await Promise.all(executions.map((execution) => waitingIn(context, execution, say)));
  return waitingRequestsMessage(waiting.flat(), say);
}

async function waitingIn(context: ListenerContext, execution: Execution, say: Say): Promise<WaitingRequest[]> {
  const { person: by } = context;
  const pending = execution.requests.filter(({ state: { status } }) => status === 'pending');
  if (pending.length === 0) return [];
  const crewRules = context.rulesOf(execution.crew);
  const now = Date.now();
  const rulesOf = new Map(
    pending.map((request) => [request, findRules(crewRules, { execution, request, now })] as const),
  );
  const approvers = [...rulesOf.values()].flatMap(({ policies }) => policies.flatMap(namedInStages));
  const [{ facts }, name, approverName] = await Promise.all([
    findPermission(context, execution, [by.id]),
    context.namesOf(starterOf(execution), ...pending.flatMap(peopleIn)),
    context.directory.approverNames(approvers),
  ]);
  const missing = missingCrewText({ crew: execution.crew, state: { kind: 'pending' } }, say);
  return [...rulesOf].map(([request, rules]) => {
    const common = { card: cardModel(execution, request), link: linkTo(context, execution, request), name };
    const standing = standingOf(rules, facts, by.id);
    if (!standing || !crewRules.policy) return { ...common, deciders: null, you: `🔌 ${missing}` };
    const { permit, approved } = standing;
    const other = permit.kind === 'denied' ? otherPersonIn(permit.denial, request.discussion) : null;
    const you = ownRightText(permit, {
      what: 'this',
      you: by.id,
      starterId: rules.subject.starterId,
      crew: escapedLine(execution.crew, 80),
      other: other && nameIn(name, other),
      stage: approved,
      approverName,
      approved: ownApprovalOf(request.discussion, by, {
        isStaged: rules.policies.some(({ stages }) => stages.length > 1),
      }),
      say,
    });
    const { policies } = rules;
    const deciders = { policies, doubts: doubtsAbout(rules), starter: starterOf(execution), approverName };
    return { ...common, deciders, you };
  });
}

function peopleIn({ discussion }: HumanRequest): Person[] {
  return [...allVotes(discussion).map(({ by }) => by), ...discussion.handedOver.flatMap(({ by, to }) => [by, to])];
}

function linkTo({ identity }: ListenerContext, execution: Execution, request: HumanRequest): string | null {
  const ts = cardTsOf(execution, request);
  return ts === null ? null : permalink(identity, execution.channel, ts, threadTsOf(execution));
}

export interface WaitingRequest {
  card: CardModel;
  /** Null while the crew isn't configured. */
  deciders: Deciders | null;
  you: string;
  /** The address of the card; null until it is posted. */
  link: string | null;
  name: NameOf;
}

const MOST_SHOWN = MESSAGE_BLOCKS - 2;

/** Says who can decide what waits in a channel, as much as a message holds. A crew's help and its cards show all rules. */
export function waitingRequestsMessage(requests: readonly WaitingRequest[], say: Say): Rendered {
  if (requests.length === 0) return answerMessage(say('who.nothing-waits'));
  const lines = requests.slice(0, MOST_SHOWN).map((request) => requestLines(request, say));
  const texts = fittingTexts(lines.map((each) => cutMrkdwn(each.join('\n'), TEXT_LIMIT)));
  const more = requests.length - texts.length;
  const head = say('who.waiting', { count: requests.length });
  return rendered([head, ...texts].join('\n'), [
    ...texts.map(section),
    ...(more > 0 ? [context(say('who.more', { count: more }))] : []),
  ]);
}

function requestLines({ card, deciders, you, link, name }: WaitingRequest, say: Say): string[] {
  const open = link === null ? '' : ` · <${escapeMrkdwn(link)}|${say('alert.open')}>`;
  const title = `✋ ${requestTitle(card, say)}${open}`;
  if (deciders === null) return [title, you];
  const handed = handOversUnder(deciders.policies, card.handedOver).map(({ to }) => nameIn(name, to));
  const who = [
    ...whoDecides(card, deciders, { name, say }),
    ...(handed.length > 0 ? [say('who.handed-over', { people: listed(handed, say) })] : []),
  ];
  return [title, who.join(' · '), you];
}

interface CrewRulesDetails {
  /** Say whether the person who asks can start the crew, and decide its requests, and why; mrkdwn. */
  canStart: string;
  canDecide: string;
  approverName: (name: string) => string;
  say: Say;
}

const MOST_TASKS = 8;

/** Says who may start a crew and decide its requests. Rules that several tasks share are said once. */
export function crewRulesMessage(crew: Crew, { canStart, canDecide, approverName, say }: CrewRulesDetails): Rendered {
  const name = escapedLine(crew.name, 80);
  const wording = { say, nameOf: (approver: Approver) => approverName(approver.name) };
  const sentencesOf = (rules: readonly PolicyStatement[]) =>
    rules.map((rule) => escapeMrkdwn(policySentence(rule, wording)));
  const starters = sentencesOf([starterStatement(crew.starters)]).join('');
  const starting = isDeployed(crew) ? [say('who.starting', { crew: name }), `${canStart} ${starters}`] : [canStart];
  const { approval: usual } = crew;
  const conditions = conditionStatements({ policy: usual, crew });
  const rules = sentencesOf([...policyStatements({ policy: usual, crew }), ...conditions]);
  const deciding = [say('who.deciding'), canDecide, ...bulleted(rules)];
  const ownRules = (policy: (typeof usual.tasks)[number]) =>
    bulleted(
      sentencesOf([
        ...changedStatements({ policy, usual, crew }),
        ...unlike(conditionStatements({ policy, crew }), conditions),
      ]),
    ).join('\n');
  const alike = groupBy(crew.approval.tasks, ownRules);
  const ofTasks = [...alike].slice(0, MOST_TASKS).map(([own, tasks]) => {
    const names = tasks.map(({ match }) => say('text.quoted', { text: escapedLine(match, 80) }));
    const head = say('who.deciding-tasks', { tasks: listed(names, say, { length: 250 }) });
    return `${head}\n${own || say('who.same-rules')}`;
  });
  const texts = [
    cutMrkdwn(starting.join('\n'), 2_500),
    cutMrkdwn(deciding.join('\n'), 2_500),
    ...ofTasks.map((text) => cutMrkdwn(text, 550)),
  ];
  return rendered(texts.join('\n'), texts.map(section));
}
