import { isAwaited } from '../../core/approval/alerts.ts';
import type { Approval } from '../../core/approval/approval.ts';
import { parseApprover } from '../../core/approval/policy/approver.ts';
import { barredStarters, type Policy } from '../../core/approval/policy/policy.ts';
import { type Execution, starterOf } from '../../core/execution/execution.ts';
import { gatherFacts } from '../directory/gather-facts.ts';
import type { SlackDirectory } from '../directory/slack-directory.ts';
import type { Mention } from '../ui/mentions.ts';

/** A larger group is always mentioned as a whole: to judge its members takes a call for each, and their list would be long. */
const MOST_ONE_BY_ONE = 20;

/** Those who are asked about a request, as the policy names them. */
interface Asked {
  approval: Approval;
  asked: readonly string[];
  policy: Policy;
}

/** People and groups, each with those of its people who are meant; null where they are too many, or Slack can't tell. */
interface Meant {
  mention: Mention;
  people: readonly string[] | null;
  isWhole: boolean;
}

/**
 * Whom a message notifies: of those whom it asks, the ones who may still decide the request and haven't voted. A group that has
 * others, too, is mentioned one by one, as far as Slack can tell who is in it. Null if Slack can't tell who is asked.
 */
export async function findMentions(
  directory: SlackDirectory,
  execution: Execution,
  asked: Asked,
): Promise<Mention[] | null> {
  const found = await findMeant(directory, execution, asked);
  return (
    found?.flatMap(({ mention, people, isWhole }) =>
      people === null || isWhole ? [mention] : people.map((id): Mention => ({ kind: 'person', id })),
    ) ?? null
  );
}

/** The same, as the ids of people alone, without those of large groups. Null if Slack can't tell who they are. */
export async function findPeople(
  directory: SlackDirectory,
  execution: Execution,
  asked: Asked,
): Promise<string[] | null> {
  const found = await findMeant(directory, execution, asked);
  return found && [...new Set(found.flatMap(({ people }) => people ?? []))];
}

async function findMeant(
  directory: SlackDirectory,
  execution: Execution,
  { approval, asked: names, policy }: Asked,
): Promise<Meant[] | null> {
  const asked = names.map(parseApprover).filter((approver) => approver !== null);
  const named = asked.length === 0 ? [] : await directory.mentionsOf(asked);
  if (named === null) return null;
  const { channel } = execution;
  const people = await Promise.all(named.map((mention) => peopleBehind(directory, mention, channel)));
  const givers = approval.handedOver.map(({ by }) => by.id);
  const voters = approval.votes.map(({ by }) => by.id);
  const known = [...voters, ...givers, ...people.flatMap((each) => each ?? [])];
  const starters = barredStarters(policy, starterOf(execution)?.id ?? null);
  const facts = await gatherFacts(directory, { people: known, approvers: asked, starters, channel });
  const isMeant = (id: string) => isAwaited(execution, approval, { policy, facts }, id);
  return named.map((mention, i) => {
    const meant = people[i]?.filter(isMeant) ?? null;
    return { mention, people: meant, isWhole: meant?.length === people[i]?.length };
  });
}

/** Those whom a mention notifies; null if they are too many, or Slack can't tell. */
async function peopleBehind(
  directory: SlackDirectory,
  { kind, id }: Mention,
  channel: string,
): Promise<string[] | null> {
  if (kind === 'person') return [id];
  const members = await directory.membersOf({ kind, name: id }, channel);
  return members === null || members.size > MOST_ONE_BY_ONE ? null : [...members];
}
