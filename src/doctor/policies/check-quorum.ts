import type { Approver } from '../../core/approval/policy/approver.ts';
import { doubtful, type Finding, wrong } from '../finding.ts';
import { type Decider, findDeciders, findPermitted } from './find-deciders.ts';
import type { PolicyContext } from './policy-context.ts';
import type { RuleSet } from './rule-sets.ts';

interface Shortage {
  found: string;
  advice: string;
}

/** Checks that enough people can decide, even if one of them has started the run. A finding for each problem. */
export async function checkQuorum(
  rules: RuleSet,
  starters: readonly Approver[],
  context: PolicyContext,
): Promise<Finding[]> {
  const { about, approvers, escalateTo } = rules;
  const short = await findShortage(rules, { approvers, starters, context });
  const findings: Finding[] = [];
  if (short === 'unknown') findings.push(unknown(about));
  else if (short) {
    const escalated = await findShortage(rules, { approvers: [...approvers, ...escalateTo], starters, context });
    findings.push(
      escalated === null
        ? doubtful(about, short.found, 'Until it is escalated, it waits in vain. Name more approvers.')
        : wrong(about, short.found, short.advice),
    );
  }
  return [...findings, ...(await checkEscalation(rules, context))];
}

/** Null if enough people can decide. */
async function findShortage(
  { quorum, selfApproval, guests, right }: RuleSet,
  {
    approvers,
    starters,
    context,
  }: { approvers: readonly Approver[]; starters: readonly Approver[]; context: PolicyContext },
): Promise<Shortage | null | 'unknown'> {
  // One more, since the one who starts the run may be among them.
  const deciders = await findDeciders({ approvers, guests }, quorum + 1, context);
  if (deciders.kind === 'unknown') return 'unknown';
  if (deciders.kind === 'enough' || deciders.people.length > quorum) return null;
  const { people } = deciders;
  if (people.length < quorum) return tooFew(people, { quorum, right });
  if (selfApproval) return null;
  const [starter] = await findPermitted(people, { approvers: starters, guests }, context);
  return starter
    ? {
        found: withoutStarter(starter, people, quorum),
        advice: 'Name more approvers, lower quorum, or allow self_approval.',
      }
    : null;
}

function tooFew(people: readonly Decider[], { quorum, right }: Pick<RuleSet, 'quorum' | 'right'>): Shortage {
  if (people.length === 0)
    return {
      found: `nobody can ${right === 'start' ? 'start it' : 'decide'}.`,
      advice: 'Name people who are active members.',
    };
  return {
    found: `quorum is ${quorum}, but only ${namesOf(people)} can decide.`,
    advice: 'Name more approvers, or lower quorum.',
  };
}

function withoutStarter(starter: Decider, people: readonly Decider[], quorum: number): string {
  const others = people.filter((person) => person !== starter);
  const left = others.length === 0 ? 'nobody else can decide' : `only ${namesOf(others)} can decide`;
  return `quorum is ${quorum} and self_approval is false: if ${starter.name} starts a run, ${left}.`;
}

async function checkEscalation({ about, escalateTo, guests }: RuleSet, context: PolicyContext): Promise<Finding[]> {
  if (escalateTo.length === 0) return [];
  const deciders = await findDeciders({ approvers: escalateTo, guests }, 1, context);
  if (deciders.kind !== 'people' || deciders.people.length > 0) return [];
  return [wrong(about, 'nobody in escalate_to can decide.', 'Name people who are active members.')];
}

function unknown(about: string): Finding {
  return doubtful(
    about,
    "couldn't find out whether enough people can decide.",
    'Fix what else is wrong, and run this again.',
  );
}

function namesOf(people: readonly Decider[]): string {
  return people.map(({ name }) => name).join(' and ');
}
