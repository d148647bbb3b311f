import type { Crews, PolicyPlaces } from '../../config/crews.ts';
import type { Crew } from '../../core/policy/crew.ts';
import { type PossibleRules, taskIndexFor } from '../../core/policy/in-force.ts';
import type { CrewPolicy, Policy } from '../../core/policy/policy.ts';
import {
  conditionStatements,
  type PolicyStatement,
  policyStatements,
  starterStatement,
} from '../../core/policy/statements.ts';
import { ok, type Result, refuse } from '../../core/values/result.ts';
import { createSayings, type Say } from '../../slack/language/say.ts';
import { policySentence } from '../../slack/request/policy-sentences.ts';
import { findPerson } from '../find-person.ts';
import { lateRules } from '../late-names.ts';
import { settingsOf } from '../policy-settings.ts';
import {
  caseOf,
  conditionSentences,
  type DescribedRequest,
  placeFor,
  placeIn,
  possibleRulesOf,
  REQUEST_OPTIONS,
  type RequestQuestion,
  readRequest,
} from '../told-request.ts';
import { ELSEWHERE, explainPerson, type SlackLookUp } from './explain-person.ts';

export interface CommandAnswer {
  text: string;
  isError: boolean;
}

/** The options of `npm run policy -- explain`. */
export const POLICY_OPTIONS = {
  crew: { type: 'string' },
  task: { type: 'string' },
  user: { type: 'string' },
  starter: { type: 'string' },
  ...REQUEST_OPTIONS,
} as const;

export interface PolicyQuestion extends RequestQuestion {
  readonly crew?: string | undefined;
  readonly task?: string | undefined;
  readonly user?: string | undefined;
  readonly starter?: string | undefined;
}

/** The rules that a question is about. */
export interface ExplainedRules extends Crews {
  /** The command that people type to start a crew. */
  command: string;
}

/** Answers `npm run policy -- explain …`. @param slack asked only about people; null without a token */
export async function answerPolicyCommand(
  { crews, places, command }: ExplainedRules,
  question: PolicyQuestion,
  slack: SlackLookUp | null,
): Promise<CommandAnswer> {
  const { crew: crewName, task = null } = question;
  const names = crews.map(({ name }) => name);
  const crew = crews.find(({ name }) => name === (crewName ?? (names.length === 1 ? names[0] : null)));
  if (!crew) return refused(whyNoCrew(crewName, names));
  const request = readRequest(crew, question);
  if (!request.ok) return refused(request.refusal);
  if (question.user === undefined && question.starter !== undefined && request.value === null)
    return refused('--starter says something only together with --user or --input.');
  const user = await readPerson('user', question.user, slack);
  if (!user.ok) return refused(user.refusal);
  const starter = await readPerson('starter', question.starter, slack);
  if (!starter.ok) return refused(starter.refusal);
  if (user.value !== null && slack === null) return refused(NO_TOKEN);
  // The command line is in English.
  const explained = {
    crew,
    places: places.get(crew.name) ?? new Map(),
    task,
    say: createSayings(command).in('en'),
  };
  const starterId = starter.value === ELSEWHERE ? null : starter.value;
  const described = request.value && { ...request.value, task, starterId };
  const rules = described ? explainRequest(explained, described) : explainPolicy(explained);
  const possible = possibleOf(crew, task, described);
  const about = { crew, possible, starter: starter.value };
  const person =
    user.value === null || slack === null
      ? []
      : ['', ...(await explainPerson({ ...about, personId: user.value, name: question.user ?? '' }, slack))];
  const { when } = levelOf(crew, task);
  const isOpen = user.value !== null && described === null && when.length > 0;
  const unless = isOpen ? ['This is where none of the conditions holds; --input tells of a request.'] : [];
  return { text: [...rules, ...person, ...unless].join('\n'), isError: false };
}

const NO_TOKEN =
  '--user takes Slack, which knows people and their groups: set SLACK_BOT_TOKEN. Without --user, only the rules are told, for which nothing has to be set.';

/** Returns the id of the person that an option names, `elsewhere` unchanged, or null without the option. */
async function readPerson(
  option: 'user' | 'starter',
  text: string | undefined,
  slack: SlackLookUp | null,
): Promise<Result<string | null, string>> {
  if (text === undefined) return ok(null);
  if (option === 'starter' && text === ELSEWHERE) return ok(text);
  const person = await (slack ? slack.personId(text) : findPerson(text, null));
  return person.ok ? person : refuse(`--${option} ${person.refusal}`);
}

function refused(text: string): CommandAnswer {
  return { text, isError: true };
}

function whyNoCrew(crewName: string | undefined, names: readonly string[]): string {
  const problem = crewName === undefined ? 'Give --crew.' : `There is no crew ${crewName}.`;
  return `${problem} The crews are: ${names.join(', ')}`;
}

interface Explained {
  say: Say;
  crew: Crew;
  places: PolicyPlaces;
  /** Name or id of a task; null for the crew's own rules. */
  task: string | null;
}

type Level = Policy & Pick<CrewPolicy, 'when'>;

/** Returns the policy of a task, or else the crew's own. */
function levelOf(crew: Crew, task: string | null): Level {
  return crew.approval.tasks[indexOf(crew, task) ?? -1] ?? crew.approval;
}

/** Returns the index of a task's policy; null for the crew's own. */
function indexOf({ approval }: Crew, task: string | null): number | null {
  return task === null ? null : taskIndexFor(approval, { taskId: task, taskName: task });
}

/** Returns the crew's policy; without a task in question, only its own rules. */
function rulesFor({ approval }: Crew, task: string | null): CrewPolicy {
  return task === null ? { ...approval, tasks: [] } : approval;
}

/** Returns the possible rules for a request; without one, those of the task if no condition holds. */
function possibleOf(crew: Crew, task: string | null, request: DescribedRequest | null) {
  const usual = { ...crew.approval, ...levelOf(crew, task), when: [], tasks: [] };
  const nothing = { task, round: 1, starterId: null, channel: null, hour: null, inputs: {} };
  const all = request ? possibleRulesOf(rulesFor(crew, task), request) : possibleRulesOf(usual, nothing);
  return all.map((rules) => ({ rules, label: caseOf(crew.approval, rules, all) }));
}

function sentenceOf(rule: PolicyStatement, say: Say): string {
  return policySentence(rule, { say, nameOf: ({ name }) => name });
}

/** Returns the rules of a crew in plain sentences, each with its place in the crews file. */
function explainPolicy({ crew, places, task, say }: Explained): string[] {
  const [policy, index] = [levelOf(crew, task), indexOf(crew, task)];
  const lineOf = (rule: PolicyStatement) =>
    `- ${sentenceOf(rule, say)} (${placeIn(places, settingsOf(rule, policy), index) ?? 'default'})`;
  return [
    `${heading({ crew, places, task })}:`,
    ...[...policyStatements({ policy, crew }), ...conditionStatements({ policy, crew })].map(lineOf),
    ...(task === null ? otherTasks(crew, places) : []),
    lineOf(starterStatement(crew.starters)),
  ];
}

/** Returns the rules that may apply to one request, and why. */
function explainRequest({ crew, places, task, say }: Explained, request: DescribedRequest): string[] {
  const linesOf = (rules: PossibleRules) =>
    policyStatements({ policy: rules, crew }).map(
      (rule) => `- ${sentenceOf(rule, say)} (${placeFor(places, rules.place, settingsOf(rule, rules)) ?? 'default'})`,
    );
  return [
    `${heading({ crew, places, task })}, for such a request:`,
    ...conditionSentences({ policy: rulesFor(crew, task), places, told: request }).map((sentence) => `- ${sentence}`),
    ...possibleOf(crew, task, request).flatMap(({ rules, label }) => [
      ...(label === null ? [] : [`${label}:`]),
      ...linesOf(rules),
    ]),
    ...(task === null ? lateNamesSentences(crew.approval) : []),
  ];
}

function heading({ crew, places, task }: Omit<Explained, 'say'>): string {
  const index = indexOf(crew, task);
  if (task === null) return `Who decides for ${crew.name}`;
  const match = index === null ? undefined : crew.approval.tasks[index]?.match;
  if (match === undefined) return `Who decides for ${crew.name}, task "${task}" (which has no rules of its own)`;
  return `Who decides for ${crew.name}, task "${task}" (by the rules for "${match}": ${placeIn(places, ['match', 'id'], index)})`;
}

function otherTasks({ approval }: Crew, places: PolicyPlaces): string[] {
  const own = approval.tasks.map(
    ({ match }, i) => `- Tasks like "${match}" have rules of their own. (${placeIn(places, ['match', 'id'], i)})`,
  );
  return [...own, ...lateNamesSentences(approval)];
}

/** Returns sentences about the time before the crew has named the task. */
function lateNamesSentences(policy: CrewPolicy): string[] {
  const waiting = lateRules(policy).map((name) => `“${name}”`);
  if (waiting.length === 0) return [];
  return [
    `- Until the crew has told a task’s name, an approval has to be complete by these rules and by those of ${waiting.join(', ')}.`,
  ];
}
