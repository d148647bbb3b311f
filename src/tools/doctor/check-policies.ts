import type { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import type { Condition } from '../../core/policy/condition.ts';
import { ASSIGNEE, type Crew, isDeployed } from '../../core/policy/crew.ts';
import { type Approver, type CrewPolicy, everNamed } from '../../core/policy/policy.ts';
import { findChannel } from '../../slack/api/channels.ts';
import { slackErrorName } from '../../slack/api/errors.ts';
import type { Identity } from '../../slack/api/identity.ts';
import { createSlackUsers } from '../../slack/api/users.ts';
import { createWorkspaces, type Workspaces } from '../../slack/api/workspaces.ts';
import { createDirectory, createLookUps } from '../../slack/directory/directory.ts';
import { codeText } from '../../slack/request/policy-sentences.ts';
import { lateNames, lateRules } from '../late-names.ts';
import { checkApprover } from './check-approver.ts';
import { checkQuorum, checkStages } from './check-quorum.ts';
import { doubtful, type Finding, fine, unchecked, wrong } from './finding.ts';
import { lacksScope, type PolicyContext, type RuleSet, type RuleSteps, ruleSetsOf, ruleStepsOf } from './rule-sets.ts';

/** Longer than the bot waits, because no click waits here. */
const WAIT_MS = 20_000;

/** Returns a finding for each name that doesn't exist, and each policy that too few people can decide. */
export async function checkPolicies(
  crews: readonly Crew[],
  { client, identity }: { client: WebClient; identity: Identity },
): Promise<Finding[]> {
  const workspaces = createWorkspaces(client, identity);
  const lookUps = createLookUps(client, { slackUsers: createSlackUsers(client), workspaces });
  const directory = createDirectory(lookUps, { identity, log: pino({ level: 'silent' }), waitMs: WAIT_MS });
  const findings: Finding[] = [];
  // Crews are checked one by one because of Slack's rate limits.
  for (const crew of crews) {
    const channel = await channelOf(crew, { client, workspaces });
    const context = { lookUps, directory, identity, channel: isAsked(crew) ? channel : null };
    findings.push(...(await checkCrew(crew, context)), ...(await checkReach(crew, channel, context)));
    findings.push(...checkNotice(crew));
  }
  return findings;
}

/** Returns the id of a crew's channel; null if there is none, or Slack doesn't say. */
async function channelOf(crew: Crew, slack: { client: WebClient; workspaces: Workspaces }): Promise<string | null> {
  return crew.channel === null ? null : findChannel(slack, crew.channel).catch(() => null);
}

/** Returns true if a rule names the members of the channel. */
function isAsked(crew: Crew): boolean {
  return ruleSetsOf(crew)
    .flatMap(everNamed)
    .some(({ kind }) => kind === 'channel');
}

/** Finds cards that people may miss: they are not in the channel and mention nobody, or name nobody but the starter. */
function checkNotice(crew: Crew): Finding[] {
  const { name, broadcast, notify } = crew;
  const about = `Cards of ${name}`;
  if (!broadcast && notify === 'none') {
    const observation =
      'broadcast is false and notify is none: only who follows a thread, or chose so in Home, hears of its cards.';
    return [doubtful(about, observation, 'Set notify to mention or dm, or leave broadcast out.')];
  }
  if (notify === 'channel' && !isAsked(crew))
    return [doubtful(about, 'notify is channel, but no rule names channel.', 'Name it, or leave notify out.')];
  const deciding = ruleSetsOf(crew).filter(({ right }) => right === 'decide');
  const isForMany = deciding.some(({ approvers, allOf }) =>
    [...approvers, ...allOf].every(({ kind }) => kind === 'workspace' || kind === 'channel'),
  );
  if (notify === 'channel' || notify === 'none' || !isForMany) return [];
  const observation = 'where everybody in the workspace or channel can decide, a card notifies nobody but the starter.';
  return [fine(about, `${observation}${isAsked(crew) ? ' With notify: channel, it mentions @here.' : ''}`)];
}

/** Names approvers (also those of an escalation) who aren't in the crew's channel, so that a mention there doesn't reach them. */
async function checkReach(crew: Crew, channel: string | null, context: PolicyContext): Promise<Finding[]> {
  const { lookUps, directory } = context;
  const approvers = ruleSetsOf(crew)
    .filter(({ right }) => right === 'decide')
    .flatMap(everNamed)
    .filter((approver) => mustBeNamed(approver) && !lacksScope(approver, context.identity));
  const unique = [...new Map(approvers.map((approver) => [approver.name, approver])).values()];
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
  const observation = `not in ${crew.channel}: ${outside.join(', ')}. A mention there doesn't reach them.`;
  return [
    doubtful(
      `Approvers of ${crew.name}`,
      observation,
      'Invite them; until then they get each request by direct message.',
    ),
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
  const [ruleSteps, ruleSets] = [ruleStepsOf(crew), ruleSetsOf(crew)];
  const quorums = await checkQuorums(crew, ruleSteps, context);
  const findings = [
    ...(await checkNames(ruleSets, context)),
    ...quorums,
    ...checkTogether(crew, (about) => !quorums.some((each) => each.mark === 'wrong' && each.about === about)),
    ...checkTaskNames(crew),
    ...checkTitles(crew),
    ...checkConditions(crew),
    ...ruleSteps.flatMap((each) => checkInputs(crew, each)),
    ...(await checkElsewhere(crew, context)),
  ];
  if (findings.length > 0) return findings;
  const approvers = ruleSets.flatMap(everNamed);
  if (approvers.some((approver) => lacksScope(approver, context.identity))) return [];
  if (await dependsOnChannel(crew, ruleSteps, context)) return [unchecked(`Policy of ${crew.name}`, UNKNOWN_CHANNEL)];
  const isOpen = approvers.every(({ kind }) => kind === 'workspace');
  const who = isOpen ? `all members of the ${context.identity.installation.kind}` : 'enough people';
  const observation = `${who} can ${isDeployed(crew) ? 'start it and decide' : 'decide'}.`;
  return [fine(`Policy of ${crew.name}`, observation)];
}

const UNKNOWN_CHANNEL =
  'all whom it names exist. Not checked: whether enough people can decide, which depends on the channel of a run.';

/** Returns true if too few people are left without the channel's members, who depend on where a run is started. */
async function dependsOnChannel(crew: Crew, ruleSteps: readonly RuleSteps[], context: PolicyContext): Promise<boolean> {
  if (context.channel !== null) return false;
  const isOthers = ({ kind }: Approver) => kind !== 'channel';
  const without = ruleSteps
    .filter(({ steps }) => steps.some((rules) => !rules.approvers.every(isOthers)))
    .map(({ about, steps }) => ({
      about,
      steps: steps.map((rules) => ({ ...rules, approvers: rules.approvers.filter(isOthers) })),
    }));
  return (await checkQuorums(crew, without, context)).length > 0;
}

/** Checks each approver. A finding that several tasks inherit from the crew appears once. */
async function checkNames(ruleSets: readonly RuleSet[], context: PolicyContext): Promise<Finding[]> {
  const findings = new Map<string, Finding>();
  for (const rules of ruleSets) {
    for (const approver of everNamed(rules)) {
      const finding = await checkApprover(approver, rules, context);
      if (finding && !findings.has(finding.found)) findings.set(finding.found, finding);
    }
  }
  return [...findings.values()];
}

async function checkQuorums(
  { starters }: Crew,
  ruleSteps: readonly RuleSteps[],
  context: PolicyContext,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { about, steps } of ruleSteps) {
    const ofSteps: Finding[] = [];
    for (const rules of steps) ofSteps.push(...(await checkQuorum(rules, starters, context)));
    // A stage that lacks people by itself lacks them beside the others, too.
    if (steps.length > 1 && ofSteps.length === 0)
      ofSteps.push(...(await checkStages({ about, steps }, starters, context)));
    findings.push(...ofSteps);
  }
  return findings;
}

/** Finds rules for which only inputs name the people who decide: the starter of a run, or its control panel, chooses those. */
function checkInputs({ flowSecrets }: Crew, { about, steps }: RuleSteps): Finding[] {
  const inputs = new Set(steps.flatMap(everNamed).flatMap(({ kind, name }) => (kind === 'input' ? [name] : [])));
  const isChosen = steps.every((rules) => everNamed(rules).every(({ kind }) => kind === 'input'));
  if (!isChosen || inputs.size === 0) return [];
  const alsoAssigned =
    flowSecrets.length > 0 && inputs.has(`input:${ASSIGNEE}`) ? ', or assigns what its flows ask,' : '';
  const observation = `whoever starts a run${alsoAssigned} chooses who decides it, by ${[...inputs].join(' and ')}.`;
  return [doubtful(about, observation, 'Have others decide, too: by quorum, all_of or stages.')];
}

/** Finds conditions that can never count. */
function checkConditions({ name, approval }: Crew): Finding[] {
  const levels = [
    { about: `Policy of ${name}`, when: approval.when },
    ...approval.tasks
      .filter(({ when }) => !isInherited(when, approval))
      .map(({ match, when }) => ({ about: `Policy of ${name} for ${match}`, when })),
  ];
  return levels.flatMap(({ about, when }) =>
    when.flatMap(({ condition }, i) => {
      const why = whyNeverCounting(
        condition,
        when.slice(0, i).map((each) => each.condition),
      );
      return why === null
        ? []
        : [
            doubtful(
              `${about} if ${codeText(condition.text)}`,
              `never counts: ${why}.`,
              'Remove it, or change the order.',
            ),
          ];
    }),
  );
}

function whyNeverCounting(condition: Condition, before: readonly Condition[]): string | null {
  if (alwaysHolds(condition) === false) return 'it never holds';
  const first = before.find((each) => alwaysHolds(each) === true || each.text === condition.text);
  if (!first) return null;
  return first.text === condition.text ? 'it stands above already' : `${codeText(first.text)} above always holds`;
}

/** Returns null for a condition that depends on something. */
function alwaysHolds({ sees, holds }: Condition): boolean | null {
  return sees.length === 0 ? holds(new Map()) : null;
}

/** Returns true if a task only has the crew's conditions, which apply to tasks without their own. */
function isInherited(when: CrewPolicy['when'], approval: CrewPolicy): boolean {
  return (
    String(when.map(({ condition }) => condition.text)) === String(approval.when.map(({ condition }) => condition.text))
  );
}

/** Checks, if starters may not decide, that people who start runs elsewhere are set, and known to Slack. */
async function checkElsewhere(crew: Crew, context: PolicyContext): Promise<Finding[]> {
  const { name, approval, channel, startedElsewhere } = crew;
  const isAnyBarred = ruleSetsOf(crew).some(({ selfApproval }) => !selfApproval);
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
  const findings = await Promise.all(approval.startedElsewhere.map((starter) => checkStarter(about, starter, context)));
  return findings.filter((finding) => finding !== null);
}

/** Returns null if Slack knows this person, or is known to refuse to say. */
async function checkStarter(about: string, starter: Approver, context: PolicyContext): Promise<Finding | null> {
  if (lacksScope(starter, context.identity)) return null;
  const { kind, name } = starter;
  const { lookUps } = context;
  try {
    const id = kind === 'email' ? await lookUps.idByEmail(name, 'fact') : await lookUps.user(name, 'fact');
    if (id !== null) return null;
    const observation = `Slack knows nobody as ${name}, so that nobody can decide a run that was started elsewhere.`;
    return wrong(about, observation, 'Correct started_elsewhere.');
  } catch (error) {
    return doubtful(about, `couldn't look up ${name} (${slackErrorName(error) ?? 'no answer'}).`, 'Run this again.');
  }
}

/** Finds rules that wait for a task's name: until then, a request must be complete by all that could match. */
function checkTaskNames({ name, approval }: Crew): Finding[] {
  const waiting = lateRules(approval);
  if (waiting.length === 0) return [];
  const rules = waiting.map((match) => `“${match}”`).join(' and ');
  const observation = `waits for the names of tasks: until the crew has told one, an approval has to be complete by its own rules and by those of ${rules}.`;
  return [
    doubtful(`Policy of ${name}`, observation, 'If the crew tells names late or never, write id instead of match.'),
  ];
}

function checkTitles({ name, approval }: Crew): Finding[] {
  if (!approval.matchTitles) return [];
  const observation = 'match_titles is true: whoever asks by a program or a workflow chooses the rules, by the title.';
  return [doubtful(`Policy of ${name}`, observation, 'Leave it out, or let all rules be as strict as the crew’s own.')];
}

/** Finds rules that nobody can complete, although they have to be met together with others. */
function checkTogether({ name, approval }: Crew, isPossible: (about: string) => boolean): Finding[] {
  const waiting = lateNames(approval);
  const own = `Policy of ${name}`;
  const stuck = [own, ...waiting.map((match) => `${own} for ${match}`)].filter((about) => !isPossible(about));
  if (waiting.length === 0 || stuck.length === 0 || stuck.length > waiting.length) return [];
  const observation = `can’t be met together with the rules for other tasks until the crew has told a task’s name: nothing can be approved then.`;
  return stuck.map((about) =>
    wrong(about, observation, 'Let enough people decide by it, or write id instead of match.'),
  );
}
