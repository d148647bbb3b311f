import type { Approval, Person } from '../../../core/approval/approval.ts';
import { subjectOf } from '../../../core/approval/permission.ts';
import { mayStart, type Permit, permits } from '../../../core/approval/policy/evaluate.ts';
import {
  type Approver,
  handOversUnder,
  isProvisional,
  namedIn,
  type Policy,
  policyFor,
  type TaskPolicy,
  taskIndexFor,
} from '../../../core/approval/policy/policy.ts';
import {
  type PolicyPlaces,
  type PolicyStatement,
  policyStatements,
  starterStatement,
} from '../../../core/approval/policy/statements.ts';
import type { Crew } from '../../../core/crew.ts';
import type { Execution } from '../../../core/execution/execution.ts';
import { tsOf } from '../../../core/messages/post.ts';
import { permalink } from '../../api/identity.ts';
import type { ListenerContext } from '../../app/context.ts';
import { gatherFacts } from '../../directory/directory.ts';
import type { Say } from '../../language/say.ts';
import { bulleted, context, fittingTexts, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { MESSAGE_BLOCKS, TEXT_LIMIT } from '../../ui/limits.ts';
import { answerMessage } from '../../ui/modal.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { missingCrewText } from '../approval/card-state.ts';
import { findPermission } from '../approval/change-request.ts';
import { otherIn } from '../approval/denial.ts';
import { policySentence, sentenceWithPlace } from '../approval/policy-sentences.ts';
import { ownRightText } from '../approval/who-can-decide.ts';

/** Who can start a crew and decide its requests, or, where none is named, who can decide what waits in the channel. */
export async function whoCan(
  context: ListenerContext,
  { crew: name, ...asked }: { crew: string | null; channel: string; by: Person },
): Promise<Rendered> {
  const crew = name === null ? undefined : context.crews.get(name);
  return crew ? whoOfCrew(context, { crew, ...asked }) : whoInChannel(context, asked);
}

const NO_RUN = { starterId: null, isEscalated: false, handedOver: [] };

/**
 * Who may start a crew in a channel and decide its requests there, and whether the person who asks may.
 * @throws {StoreUnavailable}
 */
async function whoOfCrew(
  context: ListenerContext,
  { crew, channel, by }: { crew: Crew; channel: string; by: Person },
): Promise<Rendered> {
  const { directory, connectedTo } = context;
  const approvers = namedBy(crew);
  const [found, isConnected, approverName] = await Promise.all([
    gatherFacts(directory, { people: [by.id], approvers, channel }),
    crew.requireUserToken && connectedTo(crew.name, by.id),
    directory.approverNames(approvers),
  ]);
  const facts = { ...found, connected: crew.requireUserToken ? new Set(isConnected ? [by.id] : []) : null };
  const say = await context.say();
  const own = {
    you: null,
    starterId: null,
    crew: escapedLine(crew.name, 80),
    whoCan: null,
    other: null,
    approverName,
    say,
  };
  // As if others had started the runs.
  const permit = permits({ ...crew.approval, selfApproval: true }, NO_RUN, by.id, facts);
  return crewRulesMessage(crew, {
    approverName,
    places: context.policyPlaces.get(crew.name) ?? new Map(),
    say,
    canStart: ownRightText(mayStart(crew, by.id, facts), { ...own, what: 'start' }),
    canDecide: ownRightText(permit, { ...own, what: requestsMeant(crew, permit) }),
  });
}

function requestsMeant({ approval }: Crew, { kind }: Permit): 'requests' | 'others' {
  return kind === 'permitted' && !approval.selfApproval ? 'others' : 'requests';
}

function namedBy({ starters, approval }: Crew) {
  const policies = [approval, ...approval.tasks];
  return [...starters, ...policies.flatMap(namedIn)];
}

/** Who can decide the requests that wait in a channel, and whether the person who asks can. @throws {StoreUnavailable} */
async function whoInChannel(
  context: ListenerContext,
  { channel, by }: { channel: string; by: Person },
): Promise<Rendered> {
  const executions = await context.store.openIn(channel);
  const say = await context.say();
  const waiting = await Promise.all(executions.map((execution) => waitingIn(context, { execution, by, say })));
  return waitingRequestsMessage(waiting.flat(), say);
}

const NOT_CONFIGURED = { requireUserToken: false, channel: null, startedElsewhere: 'followed' } as const;

async function waitingIn(
  context: ListenerContext,
  { execution, by, say }: { execution: Execution; by: Person; say: Say },
): Promise<WaitingRequest[]> {
  const pending = execution.approvals.filter(({ status }) => status === 'pending');
  if (pending.length === 0) return [];
  const { policy: crewPolicy, hours } = context.rulesOf(execution.crew);
  const crew = { ...NOT_CONFIGURED, ...context.crews.get(execution.crew), name: execution.crew, hours };
  const policies = crewPolicy ? pending.map((approval) => policyFor(crewPolicy, approval)) : [];
  const [{ facts }, name, approverName] = await Promise.all([
    findPermission(context, execution, [by.id]),
    context.namesOf(...pending.flatMap(peopleIn)),
    context.directory.approverNames(policies.flatMap(namedIn)),
  ]);
  const places = context.policyPlaces.get(execution.crew) ?? new Map();
  return pending.map((approval) => {
    const shown = { approval, crew, link: linkTo(context, execution, approval), name, approverName };
    if (!crewPolicy)
      return { ...shown, policy: null, placed: { places, task: null }, you: missingText(execution, say) };
    const policy = policyFor(crewPolicy, approval);
    const placed = { places, task: taskIndexFor(crewPolicy, approval) };
    const subject = subjectOf(execution, approval, Date.now());
    const permit = permits(policy, subject, by.id, facts);
    const other = permit.kind === 'denied' ? otherIn(permit.denial, approval) : null;
    const you = ownRightText(permit, {
      what: 'this',
      you: by.id,
      starterId: subject.starterId,
      crew: escapedLine(execution.crew, 80),
      whoCan: null,
      other: other && nameIn(name, other),
      approverName,
      say,
    });
    return { ...shown, policy, isProvisional: isProvisional(crewPolicy, approval), placed, you };
  });
}

function missingText({ crew }: Execution, say: Say): string {
  return `🔌 ${missingCrewText({ crew, state: { kind: 'pending' } }, say)}`;
}

function peopleIn({ votes, handedOver }: Approval): Person[] {
  return [...votes.map(({ by }) => by), ...handedOver.flatMap(({ by, to }) => [by, to])];
}

function linkTo({ identity }: ListenerContext, { channel, root }: Execution, { card }: Approval): string | null {
  const ts = tsOf(card);
  return ts === null ? null : permalink(identity, channel, ts, tsOf(root));
}

/** A request that waits for a decision, for a person who asks who can decide it. */
export interface WaitingRequest {
  approval: Pick<Approval, 'taskName' | 'round' | 'votes' | 'handedOver'>;
  crew: Parameters<typeof policyStatements>[0]['crew'];
  /** Null while the crew isn't configured. */
  policy: Policy | null;
  /** Whether another one may apply once the crew has named the task. */
  isProvisional?: boolean;
  /** Where the policy stands. */
  placed: { places: PolicyPlaces; task: number | null };
  /** Whether the person who asks can decide it, and why; mrkdwn. */
  you: string;
  /** The address of the card; null until it is posted. */
  link: string | null;
  name: NameOf;
  /** What to call the people and groups that the policy names; plain text. */
  approverName: (name: string) => string;
}

const MOST_SHOWN = MESSAGE_BLOCKS - 2;

/** Who can decide what waits in a channel, as much as a message holds. */
export function waitingRequestsMessage(requests: readonly WaitingRequest[], say: Say): Rendered {
  if (requests.length === 0) return answerMessage(say('who.nothing-waits'));
  const texts = fittingTexts(requests.slice(0, MOST_SHOWN).map((request) => requestText(request, say)));
  const more = requests.length - texts.length;
  const head = say('who.waiting', { count: requests.length });
  return rendered([head, ...texts].join('\n'), [
    ...texts.map(section),
    ...(more > 0 ? [context(say('who.more', { count: more }))] : []),
  ]);
}

function requestText(request: WaitingRequest, say: Say): string {
  const { approval, crew, policy, placed, you, link, approverName, isProvisional } = request;
  const task =
    approval.taskName === null ? '' : `, ${say('text.quoted', { text: escapedLine(approval.taskName, 120) })}`;
  const round = approval.round > 1 ? ` ${say('who.round', { round: approval.round })}` : '';
  const open = link === null ? '' : ` · <${escapeMrkdwn(link)}|${say('alert.open')}>`;
  const wording = { say, nameOf: ({ name }: Approver) => approverName(name) };
  const rules = policy ? policyStatements({ policy, crew }) : [];
  const lines = [
    `✋ *${escapedLine(crew.name, 80)}*${task}${round}${open}`,
    you,
    ...soFar(request, say),
    ...(isProvisional ? [say('who.unnamed')] : []),
    ...bulleted(rules.map((rule) => escapeMrkdwn(sentenceWithPlace(rule, { ...placed, ...wording })))),
  ];
  return cutMrkdwn(lines.join('\n'), TEXT_LIMIT);
}

function soFar({ approval: { votes, handedOver }, policy, name }: WaitingRequest, say: Say): string[] {
  const people = (some: readonly Person[]) => say.list(some.map((person) => nameIn(name, person)));
  const handed = policy ? handOversUnder(policy, handedOver) : [];
  const voters = votes.map(({ by }) => by);
  const approved = (quorum: number) =>
    say('who.approved-so-far', { count: voters.length, quorum, people: people(voters) });
  return [
    ...(policy && voters.length > 0 ? [approved(policy.quorum)] : []),
    ...(handed.length > 0 ? [say('who.handed-over', { people: people(handed.map(({ to }) => to)) })] : []),
  ];
}

interface CrewRulesDetails {
  /** Whether the person who asks can start the crew, and decide its requests, and why; mrkdwn. */
  canStart: string;
  canDecide: string;
  /** What to call those whom the rules name, in plain text. */
  approverName: (name: string) => string;
  /** Where the rules stand. */
  places: PolicyPlaces;
  say: Say;
}

/** The rules of more tasks don't fit into a message. */
const MOST_TASKS = 8;

/** Who may start a crew and decide its requests. */
export function crewRulesMessage(
  crew: Crew,
  { canStart, canDecide, approverName, places, say }: CrewRulesDetails,
): Rendered {
  const name = escapedLine(crew.name, 80);
  const wording = { say, nameOf: (approver: Approver) => approverName(approver.name) };
  const usual = policyStatements({ policy: crew.approval, crew });
  const placed = (task: number | null) => (rule: PolicyStatement) =>
    escapeMrkdwn(sentenceWithPlace(rule, { places, task, ...wording }));
  const starting = [say('who.starting', { crew: name }), canStart, placed(null)(starterStatement(crew.starters))];
  const deciding = [say('who.deciding'), canDecide, ...bulleted(usual.map(placed(null)))];
  const usualSentences = new Set(usual.map((rule) => policySentence(rule, wording)));
  const ofTask = (policy: TaskPolicy, i: number) => {
    const isUsual = (rule: PolicyStatement) => usualSentences.has(policySentence(rule, wording));
    const own = policyStatements({ policy, crew }).filter((rule) => !isUsual(rule));
    const rules = own.length === 0 ? [say('who.same-rules')] : bulleted(own.map(placed(i)));
    return [say('who.deciding-tasks', { match: escapedLine(policy.match, 80) }), ...rules].join('\n');
  };
  const texts = [
    cutMrkdwn(starting.join('\n'), 2_500),
    cutMrkdwn(deciding.join('\n'), 2_500),
    ...crew.approval.tasks.slice(0, MOST_TASKS).map((task, i) => cutMrkdwn(ofTask(task, i), 550)),
  ];
  return rendered(texts.join('\n'), texts.map(section));
}
