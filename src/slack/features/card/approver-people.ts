// Finds the people behind the groups that a policy names, and writes them in lines, for *Who can decide?*. Groups that Slack can't
// tell us about in time have no list.
import type { PersonSettings } from '../../../core/inbox/person-settings.ts';
import type { PossibleRules } from '../../../core/policy/in-force.ts';
import { type Permit, permitsByRules, type Subject } from '../../../core/policy/permits.ts';
import { type Approver, approversNow, startersToKnow } from '../../../core/policy/policy.ts';
import type { Millis } from '../../../core/values/time.ts';
import { gatherFacts, gatherMembers, within } from '../../directory/directory.ts';
import type { Say } from '../../language/say.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { type ApproverName, inputIn, listed } from '../../ui/person.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { lastMoment, slackDay } from '../../ui/text/moment.ts';

export interface PeopleBehind {
  /** The first people who can decide as one approver. */
  people: readonly { name: string; awayUntil: Millis | null }[];
  /** Number of others, who may be able to decide: beyond the limit, or Slack can't tell. */
  more: number;
}

interface Asked {
  rules: PossibleRules;
  subject: Subject;
  channel: string;
  now: Millis;
}

/** The window must open within three seconds, and the policy's own facts may have taken two. */
const MOST_WAIT_MS = 800;

/** Returns the people behind approvers by the approvers' names. Never lists a channel or the workspace. Never throws. */
export async function findPeopleBehind(
  context: Pick<ListenerContext, 'directory' | 'people' | 'personSettings' | 'log'>,
  step: Asked,
): Promise<ReadonlyMap<string, PeopleBehind>> {
  const about = { channel: step.channel };
  return (await within(MOST_WAIT_MS, lookUpPeople(context, step), { log: context.log, about })) ?? new Map();
}

const MOST_NAMED = 20;

async function lookUpPeople(
  { directory, people, personSettings }: Pick<ListenerContext, 'directory' | 'people' | 'personSettings'>,
  { rules, subject, channel, now }: Asked,
): Promise<ReadonlyMap<string, PeopleBehind>> {
  const approvers = approversNow(rules).filter((each) => !['channel', 'workspace', 'input'].includes(each.kind));
  const [members, settings] = await Promise.all([gatherMembers(directory, approvers, channel), personSettings.all()]);
  const idsOf = ({ kind, name }: Approver) => (kind === 'person' ? [name] : [...(members[name] ?? [])]);
  const knownApprovers = approvers.filter(({ kind, name }) => kind === 'person' || members[name]);
  const ids = [...new Set(knownApprovers.flatMap((approver) => idsOf(approver).slice(0, MOST_NAMED)))];
  const starters = startersToKnow(rules, subject.starterId);
  const [facts, names] = await Promise.all([
    gatherFacts(directory, { people: ids, approvers, starters, channel }),
    Promise.all(ids.map(async (id) => [id, await people.nameOf({ id, name: '' })] as const)),
  ]);
  const nameOf = new Map(names);
  const behind = (approver: Approver): PeopleBehind => {
    const all = idsOf(approver);
    const judged = all.slice(0, MOST_NAMED).map((id) => ({ id, permit: permitsByRules(rules, subject, id, facts) }));
    const deciders = judged.filter(({ id, permit }) => permit.kind === 'permitted' && nameOf.get(id) !== '');
    return {
      people: deciders.map(({ id }) => ({ name: nameOf.get(id) ?? '', awayUntil: awayUntil(settings.get(id), now) })),
      more: all.length - deciders.length - judged.filter(({ permit }) => isBarred(permit)).length,
    };
  };
  return new Map(knownApprovers.map((approver) => [approver.name, behind(approver)]));
}

function isBarred(permit: Permit): boolean {
  return permit.kind === 'denied' && permit.denial.kind !== 'unsure';
}

function awayUntil(settings: PersonSettings | undefined, now: Millis): Millis | null {
  const until = settings?.away?.until ?? 0;
  return now < until ? until : null;
}

interface Wording {
  /** Empty if only groups are to be named. */
  behind: ReadonlyMap<string, PeopleBehind>;
  approverName: ApproverName;
  say: Say;
}

/** Names approvers: a line for all people, and one for each group. Mrkdwn that notifies nobody. */
export function approverLines(approvers: readonly Approver[], wording: Wording): string[] {
  const { say } = wording;
  if (approvers.some(({ kind }) => kind === 'workspace')) return [say('who.workspace')];
  if (approvers.length === 0) return [say('who.nobody')];
  const people = approvers.filter(isPerson).flatMap((each) => personWords(each, wording));
  const others = approvers.filter((each) => !isPerson(each)).map((each) => groupLine(each, wording));
  const peopleLines = people.length === 0 ? [] : [names([...new Set(people)], 0, say)];
  const lines = [...new Set([...peopleLines, ...others])];
  return lines.length === 0 ? [say('who.nobody')] : lines;
}

function isPerson({ kind }: Approver): boolean {
  return kind === 'person' || kind === 'email';
}

/** Returns nothing for a person who can't decide. */
function personWords(approver: Approver, { behind, approverName, say }: Wording): string[] {
  const { name } = approver;
  const members = behind.get(name);
  // `more` counts the person themselves if Slack can't tell whether they may decide. Then only the name is given.
  const words =
    !members || members.more > 0
      ? [escapedLine(approverName(name), 80) || escapedLine(name, 80)]
      : members.people.map((person) => personText(person, say));
  const { input } = approver;
  if (input === undefined) return words;
  return words.map((each) => say('who.named-by-input', { name: each, input: escapedLine(input, 80) }));
}

function groupLine(approver: Approver, { behind, approverName, say }: Wording): string {
  const { kind, name } = approver;
  if (kind === 'channel') return say('who.this-channel');
  if (kind === 'input') return say('who.input-nobody', { input: escapedLine(inputIn(approver), 80) });
  const group = escapedLine(approverName(name), 80);
  const members = behind.get(name);
  if (!members || (members.people.length === 0 && members.more > 0)) return say('who.group', { group });
  const people = members.people.map((person) => personText(person, say));
  const all = people.length === 0 ? say('who.nobody') : names(people, members.more, say);
  return say('who.group-people', { group, people: all });
}

function personText({ name, awayUntil }: PeopleBehind['people'][number], say: Say): string {
  const label = escapedLine(name, 80);
  return awayUntil === null ? label : say('who.away', { name: label, date: slackDay(lastMoment(awayUntil), say) });
}

/** Leaves room for a group's name in one section of a window. */
const MOST_LENGTH = 2_400;

function names(words: readonly string[], more: number, say: Say): string {
  return listed(words, say, { most: MOST_NAMED, length: MOST_LENGTH, more });
}
