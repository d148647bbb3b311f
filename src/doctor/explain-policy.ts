import type { Config } from '../config/config.ts';
import { type Denial, type Facts, type Permit, permits } from '../core/approval/policy/evaluate.ts';
import { levelFor, taskIndexFor } from '../core/approval/policy/in-force.ts';
import {
  type Approver,
  barredStarters,
  type CrewPolicy,
  everNamed,
  type Policy,
  parseApprover,
} from '../core/approval/policy/policy.ts';
import {
  conditionStatements,
  type PolicyPlaces,
  type PolicyStatement,
  policyStatements,
  starterStatement,
} from '../core/approval/policy/statements.ts';
import type { Crew } from '../core/crew.ts';
import type { Directory } from '../core/ports.ts';
import { durationInWords } from '../core/time.ts';
import { gatherFacts } from '../slack/directory/directory.ts';
import { policySentence } from '../slack/features/approval/policy-sentences.ts';
import { sayIn } from '../slack/language/say.ts';
import { placeIn } from './told-request.ts';

export interface CommandAnswer {
  text: string;
  isError: boolean;
}

/** What Slack is asked for an explanation. No method throws. */
export interface SlackLookUp {
  directory: Directory;
  /** The id of a channel given by id or name; null if Slack can't tell. */
  channelId(idOrName: string): Promise<string | null>;
}

/** What `npm run policy -- explain` takes. */
export const POLICY_OPTIONS = {
  crew: { type: 'string' },
  task: { type: 'string' },
  user: { type: 'string' },
  starter: { type: 'string' },
} as const;

export type PolicyQuestion = { readonly [Name in keyof typeof POLICY_OPTIONS]?: string | undefined };

/** Answers `npm run policy -- explain …`. Slack is asked only about people. */
export async function answerPolicyCommand(
  { crews, policyPlaces }: Pick<Config, 'crews' | 'policyPlaces'>,
  question: PolicyQuestion,
  slack: SlackLookUp,
): Promise<CommandAnswer> {
  const { crew: wanted, task = null, user = null, starter = null } = question;
  const names = crews.map(({ name }) => name);
  const crew = crews.find(({ name }) => name === (wanted ?? (names.length === 1 ? names[0] : null)));
  const problem = crew ? whyNotPeople(user, starter) : whyNoCrew(wanted, names);
  if (!crew || problem !== null) return { text: problem ?? '', isError: true };
  const rules = explainPolicy({ crew, places: policyPlaces.get(crew.name) ?? new Map(), task });
  const { policy } = findPolicy(crew, task);
  const person = user === null ? [] : ['', ...(await explainPerson({ crew, policy, user, starter }, slack))];
  return { text: [...rules, ...person].join('\n'), isError: false };
}

function whyNoCrew(wanted: string | undefined, names: readonly string[]): string {
  const problem = wanted === undefined ? 'Give --crew.' : `There is no crew ${wanted}.`;
  return `${problem} The crews are: ${names.join(', ')}`;
}

function whyNotPeople(user: string | null, starter: string | null): string | null {
  if (!isPerson(user)) return '--user must be the id (U0123ABC) or e-mail address of a person.';
  if (user === null && starter !== null) return '--starter says something only together with --user.';
  if (starter === ELSEWHERE || isPerson(starter)) return null;
  return '--starter must be the id (U0123ABC) or e-mail address of a person, or elsewhere.';
}

function isPerson(idOrAddress: string | null): boolean {
  return idOrAddress === null || ['person', 'email'].includes(parseApprover(idOrAddress)?.kind ?? '');
}

/** The command line is in English. */
const say = sayIn('en');

interface Explained {
  crew: Crew;
  places: PolicyPlaces;
  /** The name or the id of a task; null for the crew's own rules. */
  task: string | null;
}

/** The policy that applies to a task of a crew, and its index among those of tasks; null for the crew's own. */
function findPolicy(
  { approval }: Crew,
  task: string | null,
): { policy: Policy & Pick<CrewPolicy, 'when'>; index: number | null } {
  if (task === null) return { policy: approval, index: null };
  const meant = { taskId: task, taskName: task };
  return { policy: levelFor(approval, meant), index: taskIndexFor(approval, meant) };
}

/** The rules of a crew in plain sentences, each with the place that it comes from. */
function explainPolicy({ crew, places, task }: Explained): string[] {
  const { policy, index } = findPolicy(crew, task);
  const lineOf = (rule: PolicyStatement) => {
    const sentence = policySentence(rule, { say, nameOf: ({ name }) => name });
    return `- ${sentence} (${placeIn(places, rule.settings, index) ?? 'default'})`;
  };
  return [
    heading({ crew, places, task, index }),
    ...[...policyStatements({ policy, crew }), ...conditionStatements({ policy, crew })].map(lineOf),
    ...(task === null ? otherTasks(crew, places) : []),
    lineOf(starterStatement(crew.starters)),
  ];
}

function heading({ crew, places, task, index }: Explained & { index: number | null }): string {
  if (task === null) return `Who decides for ${crew.name}:`;
  const match = index === null ? undefined : crew.approval.tasks[index]?.match;
  if (match === undefined) return `Who decides for ${crew.name}, task "${task}" (which has no rules of its own):`;
  return `Who decides for ${crew.name}, task "${task}" (by the rules for "${match}": ${placeIn(places, ['match'], index)}):`;
}

function otherTasks({ approval }: Crew, places: PolicyPlaces): string[] {
  return approval.tasks.map(
    ({ match }, i) => `- Tasks like "${match}" have rules of their own. (${placeIn(places, ['match'], i)})`,
  );
}

/** In place of a starter: the run was started elsewhere. */
export const ELSEWHERE = 'elsewhere';

interface PersonQuestion {
  crew: Crew;
  policy: Policy;
  /** An id or an e-mail address, and so is the starter. */
  user: string;
  /** `elsewhere` for a run that was started there; null if another person started it. */
  starter: string | null;
}

/** What a policy means for a person, in plain sentences. */
async function explainPerson({ crew, policy, user, starter }: PersonQuestion, slack: SlackLookUp): Promise<string[]> {
  const isElsewhere = starter === ELSEWHERE;
  const [personId, starterId] = await Promise.all([
    idOf(user, slack.directory),
    idOf(isElsewhere ? null : starter, slack.directory),
  ]);
  if (personId === null) return [`Slack can’t say whose address ${user} is.`];
  if (starter !== null && !isElsewhere && starterId === null) return [`Slack can’t say whose address ${starter} is.`];
  // Without a starter, as if another person had started the run.
  const judged = starter === null ? { ...policy, selfApproval: true } : policy;
  const usesChannel = everNamed(policy).some(({ kind }) => kind === 'channel');
  const channel = usesChannel && crew.channel !== null ? await slack.channelId(crew.channel) : null;
  const facts = await gatherFacts(slack.directory, {
    people: [personId],
    approvers: everNamed(policy),
    starters: barredStarters(judged, starterId),
    channel: channel ?? '',
  });
  return [
    personSentence(judged, { personId, name: user, starterId, facts }),
    ...(usesChannel ? [channelSentence(crew)] : []),
    ...(starter === null && !policy.selfApproval ? [`If ${user} started the run, they can’t decide it.`] : []),
    ...(crew.requireUserToken ? [`Either way, ${user} needs a token of their own, which is not checked here.`] : []),
  ];
}

/** Null if there is none, or Slack can't tell whose address it is. */
async function idOf(idOrAddress: string | null, directory: Directory): Promise<string | null> {
  const approver = idOrAddress === null ? null : parseApprover(idOrAddress);
  if (approver?.kind !== 'email') return approver?.name ?? null;
  const [id = null] = (await directory.membersOf(approver, '')) ?? [];
  return id;
}

function channelSentence({ channel }: Crew): string {
  return channel === null
    ? 'The crew has no channel of its own: whose members count depends on where the run is started.'
    : `This assumes that the request is posted in ${channel}, the crew’s own channel.`;
}

interface JudgedPerson {
  personId: string;
  /** What to call the person. */
  name: string;
  /** Null for a run that was started elsewhere. */
  starterId: string | null;
  facts: Facts;
}

/** What a policy means for one person. */
function personSentence(policy: Policy, { personId, name, starterId, facts }: JudgedPerson): string {
  const judge = (isEscalated: boolean) => permits(policy, { starterId, isEscalated, handedOver: [] }, personId, facts);
  const permit = judge(false);
  if (permit.kind === 'permitted') return `${name} can decide${reasonFor(permit, policy)}.`;
  const { escalateAfterMs } = policy;
  const later = permit.denial.kind === 'not-approver' && escalateAfterMs !== null ? judge(true) : permit;
  if (later.kind === 'denied' || escalateAfterMs === null)
    return `${name} can’t decide: ${whyNot(permit.denial, starterId)}.`;
  const time = durationInWords(escalateAfterMs);
  return `${name} can decide only after ${time} without a decision${reasonFor(later, policy)}.`;
}

function reasonFor({ rule }: Extract<Permit, { kind: 'permitted' }>, policy: Policy): string {
  const approver = everNamed(policy).find(({ name }) => name === rule);
  return approver ? `, ${as(approver)}` : '';
}

function as({ kind, name }: Approver): string {
  switch (kind) {
    case 'person':
      return 'being named in the rules';
    case 'email':
      return `being named as ${name}`;
    case 'group':
    case 'handle':
      return `as one of ${name}`;
    case 'channel':
    case 'workspace':
      return `as a member of the ${kind}`;
    case 'input':
      return `being named by the run’s inputs`;
  }
}

/** The rest of a sentence about the person: `they are a guest, …`. */
export function whyNot(denial: Denial, starterId: string | null): string {
  switch (denial.kind) {
    case 'stranger':
      return 'they belong to another organisation, and the rules don’t let them';
    case 'guest':
      return 'they are a guest, and the rules don’t let them';
    case 'bot':
      return 'it is a bot';
    case 'deactivated':
      return 'the account is deactivated';
    case 'self-approval':
      return starterId === null
        ? 'they count as the starter of runs that were started elsewhere'
        : 'they started the run';
    case 'not-approver':
      return 'they are none of those who can';
    case 'giver-denied':
      return 'those who added them as an approver can’t either';
    case 'no-delegation':
      return 'the rules don’t let them be added as an approver';
    case 'right-used':
      return 'their right to decide has been used';
    case 'no-token':
      return 'they have connected no token of their own';
    case 'unsure':
      if (denial.starter !== undefined)
        return `Slack can’t say who ${denial.starter} is, who counts as the starter of runs started elsewhere`;
      return denial.approver === null
        ? `Slack can’t say who ${denial.personId} is`
        : `Slack can’t say whether they belong to ${denial.approver === 'channel' ? 'the channel' : denial.approver}`;
  }
}
