import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { type Approver, everNamed, type Policy } from '../core/approval/policy/policy.ts';
import type { Crew } from '../core/crew.ts';
import { findChannel } from '../slack/api/channels.ts';
import { slackErrorName } from '../slack/api/errors.ts';
import type { Identity } from '../slack/api/identity.ts';
import { createSlackUsers } from '../slack/api/users.ts';
import { createWorkspaces, type Workspaces } from '../slack/api/workspaces.ts';
import { createDirectory, createLookUps } from '../slack/directory/directory.ts';
import { checkApprover } from './check-approver.ts';
import { checkQuorum } from './check-quorum.ts';
import { doubtful, type Finding, fine, unchecked, wrong } from './finding.ts';
import { lacksScope, type PolicyContext, type RuleSet, ruleSetsOf } from './rule-sets.ts';

/** Longer than the bot waits: here no click has to be answered. */
const WAIT_MS = 20_000;

/** Checks that everybody whom these crews' policies name exists, and that enough people can decide. A finding for each problem. */
export async function checkPolicies(
  crews: readonly Crew[],
  { client, identity }: { client: WebClient; identity: Identity },
): Promise<Finding[]> {
  const workspaces = createWorkspaces(client, identity);
  const lookUps = createLookUps(client, { slackUsers: createSlackUsers(client), workspaces });
  const directory = createDirectory(lookUps, { identity, log: pino({ level: 'silent' }), waitMs: WAIT_MS });
  const findings: Finding[] = [];
  // One after the other, for Slack's rate limits.
  for (const crew of crews) {
    const channel = await channelOf(crew, { client, workspaces });
    const context = { lookUps, directory, identity, channel: isAsked(crew) ? channel : null };
    findings.push(...(await checkCrew(crew, context)), ...(await checkReach(crew, channel, context)));
    findings.push(...checkNotice(crew));
  }
  return findings;
}

/** The id of a crew's channel. Null if there is none, or Slack doesn't say. */
async function channelOf(crew: Crew, slack: { client: WebClient; workspaces: Workspaces }): Promise<string | null> {
  return crew.channel === null ? null : findChannel(slack, crew.channel).catch(() => null);
}

/** Whether the members of its channel have a say. */
function isAsked(crew: Crew): boolean {
  return ruleSetsOf(crew)
    .flatMap(namesIn)
    .some(({ kind }) => kind === 'channel');
}

/** A card that is neither shown in the channel nor told to anybody is missed. */
function checkNotice({ name, broadcast, notify }: Crew): Finding[] {
  if (broadcast || notify !== 'none') return [];
  const found =
    'broadcast is false and notify is none: only who follows a thread, or chose so in Home, hears of its cards.';
  return [doubtful(`Cards of ${name}`, found, 'Set notify to mention or dm, or leave broadcast out.')];
}

/** Names those who can decide, or will once a request escalates, but aren't in the crew's channel: a mention there doesn't reach them. */
async function checkReach(crew: Crew, channel: string | null, context: PolicyContext): Promise<Finding[]> {
  const { lookUps, directory } = context;
  const named = ruleSetsOf(crew)
    .filter(({ right }) => right === 'decide')
    .flatMap(namesIn)
    .filter((approver) => mustBeNamed(approver) && !lacksScope(approver, context.identity));
  const unique = [...new Map(named.map((approver) => [approver.name, approver])).values()];
  if (channel === null || unique.length === 0) return [];
  const inside = await directory.membersOf({ kind: 'channel', name: 'channel' }, channel);
  if (inside === null) return [];
  const outside: string[] = [];
  for (const approver of unique) {
    const members = (await directory.membersOf(approver, channel)) ?? new Set<string>();
    const missing = [...members].filter((id) => !inside.has(id));
    const isGroup = approver.kind === 'group' || approver.kind === 'handle';
    if (isGroup && missing.length > 0) outside.push(`${missing.length} of ${members.size} in ${approver.name}`);
    if (!isGroup) outside.push(...(await Promise.all(missing.map((id) => nameOf(id, lookUps)))));
  }
  if (outside.length === 0) return [];
  const found = `not in ${crew.channel}: ${outside.join(', ')}. A mention there doesn't reach them.`;
  return [
    doubtful(`Approvers of ${crew.name}`, found, 'Invite them; until then they get each request by direct message.'),
  ];
}

function mustBeNamed({ kind }: Approver): boolean {
  return kind !== 'channel' && kind !== 'workspace';
}

async function nameOf(id: string, lookUps: PolicyContext['lookUps']): Promise<string> {
  const user = await lookUps.user(id, 'shown').catch(() => null);
  return user?.name ? `${user.name} (${id})` : id;
}

async function checkCrew(crew: Crew, context: PolicyContext): Promise<Finding[]> {
  const ruleSets = ruleSetsOf(crew);
  const findings = [
    ...(await checkNames(ruleSets, context)),
    ...(await checkQuorums(crew, ruleSets, context)),
    ...checkTaskNames(crew),
    ...(await checkElsewhere(crew, context)),
  ];
  if (findings.length > 0) return findings;
  const named = ruleSets.flatMap(namesIn);
  if (named.some((approver) => lacksScope(approver, context.identity))) return [];
  if (await dependsOnChannel(crew, ruleSets, context)) return [unchecked(`Policy of ${crew.name}`, UNKNOWN_CHANNEL)];
  const isOpen = named.every(({ kind }) => kind === 'workspace');
  const found = isOpen
    ? `all members of the ${context.identity.installation.kind} can start it and decide.`
    : 'enough people can start it and decide.';
  return [fine(`Policy of ${crew.name}`, found)];
}

const UNKNOWN_CHANNEL =
  'all whom it names exist. Not checked: whether enough people can decide, which depends on the channel of a run.';

/** Whether the people named are too few without the members of the channel, which may be any that a run is started in. */
async function dependsOnChannel(crew: Crew, ruleSets: readonly RuleSet[], context: PolicyContext): Promise<boolean> {
  if (context.channel !== null) return false;
  const without = ruleSets
    .filter(({ approvers }) => approvers.some(({ kind }) => kind === 'channel'))
    .map((rules) => ({ ...rules, approvers: rules.approvers.filter(({ kind }) => kind !== 'channel') }));
  return (await checkQuorums(crew, without, context)).length > 0;
}

/** Mentions once what several tasks inherit from the crew. */
async function checkNames(ruleSets: readonly RuleSet[], context: PolicyContext): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const rules of ruleSets) {
    for (const approver of namesIn(rules)) {
      const finding = await checkApprover(approver, rules, context);
      if (finding && !findings.has(finding.found)) findings.set(finding.found, finding);
    }
  }
  return [...findings.values()];
}

async function checkQuorums(
  { starters }: Crew,
  ruleSets: readonly RuleSet[],
  context: PolicyContext,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rules of ruleSets) findings.push(...(await checkQuorum(rules, starters, context)));
  return findings;
}

function namesIn(rules: RuleSet) {
  return everNamed(rules);
}

/** Checks, where starters may not decide, that those who start runs elsewhere are set, and are known to Slack. */
async function checkElsewhere(crew: Crew, context: PolicyContext): Promise<Finding[]> {
  const { name, approval, channel, startedElsewhere } = crew;
  const isAnyBarred = [approval, ...approval.tasks].some(({ selfApproval }) => !selfApproval);
  if (!isAnyBarred || channel === null || startedElsewhere === 'refused') return [];
  const about = `Policy of ${name}`;
  if (approval.startedElsewhere.length === 0)
    return [
      doubtful(
        about,
        'self_approval is false, but who starts a run elsewhere is unknown, and can decide it.',
        'Set started_elsewhere to those who do, or to refuse.',
      ),
    ];
  const found = await Promise.all(approval.startedElsewhere.map((starter) => checkStarter(about, starter, context)));
  return found.filter((finding) => finding !== null);
}

/** Null if Slack knows this person, or is known to refuse to say. */
async function checkStarter(about: string, starter: Approver, context: PolicyContext): Promise<Finding | null> {
  if (lacksScope(starter, context.identity)) return null;
  const { kind, name } = starter;
  const { lookUps } = context;
  try {
    const known = kind === 'email' ? await lookUps.idByEmail(name, 'fact') : await lookUps.user(name, 'fact');
    if (known !== null) return null;
    const found = `Slack knows nobody as ${name}, so that nobody can decide a run that was started elsewhere.`;
    return wrong(about, found, 'Correct started_elsewhere.');
  } catch (error) {
    return doubtful(about, `couldn't look up ${name} (${slackErrorName(error) ?? 'no answer'}).`, 'Run this again.');
  }
}

/** Deployed services name tasks by such ids. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Until a task has been named, the crew's own rules count. A finding for each task whose rules are stricter than those. */
function checkTaskNames({ name, approval }: Crew): Finding[] {
  return approval.tasks
    .filter((task) => isByName(task.match) && isStricter(task, approval))
    .map(({ match }) =>
      doubtful(
        `Policy of ${name} for ${match}`,
        "stricter than the crew's own rules, which count until the crew has named a task.",
        "Make the crew's own rules the strict ones, or match the task by its id.",
      ),
    );
}

function isByName(match: string): boolean {
  return !ID.test(match) && match.replaceAll('*', '') !== '';
}

function isStricter(task: Policy, crew: Policy): boolean {
  const isAnyMeant = task.approvers.some(({ kind }) => kind === 'workspace');
  const isMeant = (name: string) => isAnyMeant || task.approvers.some((each) => each.name === name);
  return (
    task.quorum > crew.quorum ||
    (crew.selfApproval && !task.selfApproval) ||
    (crew.guests && !task.guests) ||
    !crew.approvers.every(({ name }) => isMeant(name))
  );
}
