import { mentionsFor } from '../../core/approval/alerts.ts';
import type { Approval } from '../../core/approval/approval.ts';
import { subjectOf } from '../../core/approval/permission.ts';
import { type Approver, parseApprover } from '../../core/approval/policy/approver.ts';
import { type Denial, permits } from '../../core/approval/policy/permits.ts';
import { type Policy, policyFor } from '../../core/approval/policy/policy.ts';
import type { RulesOf } from '../../core/crew.ts';
import { type Execution, findApproval, starterOf } from '../../core/execution/execution.ts';
import type { Message } from '../../core/messages/message.ts';
import { gatherFacts } from '../directory/gather-facts.ts';
import type { SlackDirectory } from '../directory/slack-directory.ts';
import type { Mention } from '../ui/mentions.ts';
import { findMentions, findPeople } from './find-mentions.ts';

/** A card names at most this many people one by one; where the policy names more, it mentions none of them. */
const MOST_PEOPLE = 3;

interface Ports extends SlackDirectory {
  rulesOf: RulesOf;
}

/**
 * Whom a new card mentions: those who should decide, if they are few, and the person who started the run, but nobody who may not
 * decide as a stranger, guest or starter. What Slack can't tell about groups and addresses leaves these out.
 */
async function findCardMentions(ports: Ports, execution: Execution, approval: Approval): Promise<Mention[]> {
  const rules = ports.rulesOf(execution.crew);
  const policy = policyFor(rules.policy, approval);
  if (policy === null || (rules.notify ?? 'mention') !== 'mention') return [];
  const asked = fewOf(mentionsFor(execution, approval, policy));
  const [named, starter] = await Promise.all([
    findMentions(ports, execution, { approval, asked, policy }),
    findStarter(ports, execution, approval, policy),
  ]);
  const all = [...(named ?? asked.flatMap(mentionOf)), ...starter.flatMap(mentionOf)];
  return [...new Map(all.map((mention) => [mention.id, mention])).values()];
}

/** Whom a message mentions that is posted for the first time. A card that takes the place of another one mentions nobody. */
export async function newMentions(ports: Ports, execution: Execution, message: Message): Promise<readonly Mention[]> {
  const approval = message.kind === 'card' ? findApproval(execution, message.approvalId) : null;
  return approval?.mentioned === null ? findCardMentions(ports, execution, approval) : [];
}

/** Whom an update still mentions, which notifies nobody again. */
export function shownMentions(execution: Execution, message: Message): readonly Mention[] {
  const isCard = message.kind === 'card' || message.kind === 'copy';
  const approval = isCard ? findApproval(execution, message.approvalId) : null;
  return (approval?.mentioned ?? []).flatMap(mentionOf);
}

/**
 * The ids of those whom `notify: dm` tells: the same people and the members of small groups. Null if Slack can't tell yet, or the
 * crew isn't configured.
 */
export async function findPeopleToTell(
  ports: Ports,
  execution: Execution,
  approval: Approval,
): Promise<readonly string[] | null> {
  const policy = policyFor(ports.rulesOf(execution.crew).policy, approval);
  if (policy === null) return null;
  const asked = mentionsFor(execution, approval, policy);
  const [people, starter] = await Promise.all([
    findPeople(ports, execution, { approval, asked, policy }),
    findStarter(ports, execution, approval, policy),
  ]);
  return people && [...people, ...starter];
}

/** A mention of a person or group by the id that Slack has for it. */
function mentionOf(name: string): Mention[] {
  const approver = parseApprover(name);
  return approver?.kind === 'person' || approver?.kind === 'group' ? [{ kind: approver.kind, id: approver.name }] : [];
}

function fewOf(names: readonly string[]): string[] {
  const isPerson = (name: string) => PEOPLE.includes(parseApprover(name)?.kind ?? 'workspace');
  const people = names.filter(isPerson);
  return names.filter((name) => !isPerson(name) || people.length <= MOST_PEOPLE);
}

const PEOPLE: readonly Approver['kind'][] = ['person', 'email'];

/** The id of the person who started the run, whose own run it is, unless they may not decide it. */
async function findStarter(
  directory: SlackDirectory,
  execution: Execution,
  approval: Approval,
  policy: Policy,
): Promise<string[]> {
  const starter = starterOf(execution);
  if (!starter || !policy.selfApproval) return [];
  const facts = await gatherFacts(directory, { people: [starter.id], approvers: [], channel: execution.channel });
  // Whom the policy bars, it bars at any time.
  const permit = permits(policy, subjectOf(execution, approval, approval.askedAt), starter.id, facts);
  return permit.kind === 'denied' && isBarred(permit.denial) ? [] : [starter.id];
}

/** Whether a person may not decide for what they are, rather than because the policy names others. */
function isBarred({ kind }: Denial): boolean {
  switch (kind) {
    case 'stranger':
    case 'guest':
    case 'bot':
    case 'deactivated':
    case 'self-approval':
      return true;
    case 'not-approver':
    case 'giver-denied':
    case 'right-used':
    case 'no-token':
    case 'unsure':
      return false;
  }
}
