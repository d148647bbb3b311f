// Who can decide an open request, who has voted, and to whom it was passed on, as its card says it.
import type { Person, Vote } from '../../../core/approval/approval.ts';
import { type Approver, approversNow, type Policy } from '../../../core/approval/policy/policy.ts';
import type { CardModel } from '../../../core/messages/view-models.ts';
import type { Say } from '../../language/say.ts';
import { type ApproverName, approverWords, listed, type NameOf, nameIn } from '../../ui/person.ts';
import { lastMoment, slackDate, slackDay } from '../../ui/text/moment.ts';
import { actorText } from './card-state.ts';

/** Others who stand in can decide as well, but have no sentence. */
const MOST_AWAY = 5;

/** The policy of a request as it is now, with the names that are in it. */
export interface Deciders {
  policy: Policy;
  /** Whether others may apply once the crew has named the task. */
  isProvisional?: boolean;
  /** Who started the run; null if it was started elsewhere. */
  starter: Person | null;
  approverName: ApproverName;
}

interface Words {
  name: NameOf;
  say: Say;
}

/**
 * Who can decide an open request and who has voted, as parts of a line: `needs 2 of @release-managers`, `1 so far: Maria`. While
 * the policy isn't known, only the votes.
 */
export function whoDecides(model: CardModel, deciders: Deciders | null, words: Words): string[] {
  if (deciders === null) return model.votes.length > 0 ? [votes(model, words)] : [];
  const { policy, approverName } = deciders;
  const { say } = words;
  const approvers = approversNow(policy, { isEscalated: model.escalatedAt !== null });
  const needed =
    policy.quorum > 1 ? needs(policy.quorum, approvers, { approverName, say }) : can(approvers, { approverName, say });
  const counted = policy.quorum > 1 || model.votes.length > 0 ? votes(model, words) : '';
  const provisional = deciders.isProvisional ? say('card.unnamed-rules') : '';
  return [needed, barred(deciders, words), provisional, counted].filter((part) => part !== '');
}

/** Who may not decide because they started the run, or that it isn't known who did. */
function barred({ policy, starter, approverName }: Deciders, { name, say }: Words): string {
  const { selfApproval, startedElsewhere } = policy;
  if (selfApproval) return '';
  if (starter) return say('card.not-starter', { name: nameIn(name, starter) });
  return startedElsewhere.length === 0
    ? say('card.no-starter')
    : say('card.not-elsewhere', { who: approverWords(startedElsewhere, approverName, { say }) });
}

interface ApproverNames {
  approverName: ApproverName;
  say: Say;
}

function needs(quorum: number, approvers: readonly Approver[], { approverName, say }: ApproverNames): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('card.needs-anyone', { quorum });
  if (approvers.every(({ kind }) => kind === 'channel')) return say('card.needs-channel', { quorum });
  return say('card.needs', { quorum, who: approverWords(approvers, approverName, { say }) });
}

function can(approvers: readonly Approver[], { approverName, say }: ApproverNames): string {
  return approvers.some(({ kind }) => kind === 'workspace')
    ? say('card.anyone')
    : say('card.can-decide', { who: approverWords(approvers, approverName, { say }) });
}

function votes({ votes }: CardModel, { name, say }: Words): string {
  if (votes.length === 0) return say('card.no-votes');
  const voters = votes.map((vote) => voterText(vote, { name, say }));
  return say('card.votes', { count: votes.length, names: listed(voters, say) });
}

function voterText({ by, for: holder, feedback }: Vote, { name, say }: Words): string {
  const named = { name: nameIn(name, by) };
  if (!feedback?.trim()) return actorText({ by, for: holder }, { name, say });
  return holder ? say('card.for-with-note', { ...named, other: nameIn(name, holder) }) : say('card.with-note', named);
}

/** Who else can decide since it was escalated or handed over, or while an approver is away. */
export function passedOn(model: CardModel, { policy, approverName }: Deciders, { name, say }: Words): string[] {
  const { escalatedAt, handedOver } = model;
  const named = handedOver.map(({ to, by, until }) => ({ to: nameIn(name, to), by: nameIn(name, by), until }));
  const handed = named.flatMap(({ to, by, until }) => (until === null ? [say('card.handed-over-to', { to, by })] : []));
  const away = named.flatMap(({ to, by, until }) =>
    until === null ? [] : [say('card.stands-in', { to, by, date: slackDay(lastMoment(until), say) })],
  );
  return [
    ...(escalatedAt === null ? [] : [escalated(policy, slackDate(escalatedAt, say), { approverName, say })]),
    ...(handed.length === 0 ? [] : [say('card.handed-over', { list: listed(handed, say) })]),
    ...away.slice(0, MOST_AWAY),
  ];
}

function escalated({ escalateTo }: Policy, when: string, { approverName, say }: ApproverNames): string {
  return escalateTo.length === 0
    ? say('card.escalated', { when })
    : say('card.escalated-to', { who: approverWords(escalateTo, approverName, { say }), when });
}
