// Explains what rules mean for one person, for `npm run policy -- explain`.

import type { Crew } from '../../core/policy/crew.ts';
import { type PossibleRules, stepsFrom } from '../../core/policy/in-force.ts';
import { type Denial, type Facts, type Permit, permits } from '../../core/policy/permits.ts';
import { type Approver, barredStarters, everNamed, type Policy } from '../../core/policy/policy.ts';
import type { Directory } from '../../core/ports.ts';
import type { Result } from '../../core/values/result.ts';
import { durationInWords } from '../../core/values/time.ts';
import { gatherFacts } from '../../slack/directory/directory.ts';

/** Look-ups in Slack for an explanation. No method throws. */
export interface SlackLookUp {
  directory: Directory;
  /** Returns the id of a person named in any way. A refusal continues the typed text. */
  personId(text: string): Promise<Result<string, string>>;
  /** Returns the id of a channel given by id or name; null if Slack can't tell. */
  channelId(idOrName: string): Promise<string | null>;
}

/** Stands for the starter of a run that was started elsewhere. */
export const ELSEWHERE = 'elsewhere';

interface PersonQuestion {
  crew: Crew;
  /** The possible rules. If there are several, each has a label such as `If it is “publish*”`. */
  possible: readonly { rules: PossibleRules; label: string | null }[];
  personId: string;
  /** The name to call the person by. */
  name: string;
  /** Id of the starter; `elsewhere` if the run was started there; null if somebody else started it. */
  starter: string | null;
}

/** Returns sentences about what policies mean for a person. */
export async function explainPerson(
  { crew, possible, personId, name, starter }: PersonQuestion,
  slack: SlackLookUp,
): Promise<string[]> {
  const steps = possible.flatMap(({ rules, label }) => stepsFrom(rules).map((step) => ({ step, label })));
  const policies = steps.map(({ step }) => step);
  const starterId = starter === ELSEWHERE ? null : starter;
  // Another person has started the run if no starter is given.
  const judgedAs = (rules: PossibleRules) => (starter === null ? { ...rules, selfApproval: true } : rules);
  const approvers = policies.flatMap(everNamed);
  const usesChannel = approvers.some(({ kind }) => kind === 'channel');
  const channel = usesChannel && crew.channel !== null ? await slack.channelId(crew.channel) : null;
  const facts = await gatherFacts(slack.directory, {
    // A person whom an input names can't be the starter, whatever self_approval says.
    people: [personId, ...(starterId === null ? [] : [starterId])],
    approvers,
    starters: policies.flatMap((each) => barredStarters(judgedAs(each), starterId)),
    channel: channel ?? '',
  });
  const sentences = steps.map(({ step, label }) => {
    const sentence = personSentence(judgedAs(step), { personId, name, starterId, facts });
    const stage = step.stages[step.stage];
    const where = [...(label === null ? [] : [label]), ...(stage ? [`Stage ${step.stage + 1}, “${stage.name}”`] : [])];
    return [...where, sentence].join(': ');
  });
  return [
    ...sentences,
    ...(possible.some(({ rules }) => rules.stages.length > 1) ? ['Nobody can approve more than one stage.'] : []),
    ...(usesChannel ? [channelSentence(crew)] : []),
    ...(starter === null && policies.some(({ selfApproval }) => !selfApproval)
      ? [`If ${name} started the run, they can’t decide it.`]
      : []),
    ...(crew.requireUserToken ? [`Either way, ${name} needs a token of their own, which is not checked here.`] : []),
  ];
}

function channelSentence({ channel }: Crew): string {
  return channel === null
    ? 'The crew has no channel of its own: whose members count depends on where the run is started.'
    : `This assumes that the request is posted in ${channel}, the crew’s own channel.`;
}

interface JudgedPerson {
  personId: string;
  /** The name to call the person by. */
  name: string;
  /** Null for a run that was started elsewhere. */
  starterId: string | null;
  facts: Facts;
}

/** Returns a sentence about what a policy means for one person. */
function personSentence(policy: PossibleRules, { personId, name, starterId, facts }: JudgedPerson): string {
  const judge = (isEscalated: boolean) =>
    permits({ ...policy, isEscalated }, { starterId, handedOver: [] }, personId, facts);
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

function as({ kind, name, input }: Approver): string {
  if (input !== undefined) return `being named by the input ${input}`;
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

/** Returns the end of a sentence about the person: `they are a guest, …`. */
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
      return 'those who added them as an approver have no right of their own';
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
