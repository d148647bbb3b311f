import type { Approval, Person } from '../../../core/approval/approval.ts';
import type { Approver } from '../../../core/approval/policy/approver.ts';
import type { PolicyPlaces } from '../../../core/approval/policy/places.ts';
import type { Policy } from '../../../core/approval/policy/policy.ts';
import { policyStatements } from '../../../core/approval/policy/statements.ts';
import { sentenceWithPlace } from '../../approval/policy-sentences.ts';
import type { Say } from '../../language/say.ts';
import { answerMessage } from '../../ui/answer-modal.ts';
import { context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { bulleted } from '../../ui/bulleted.ts';
import { MESSAGE_BLOCKS, MESSAGE_BLOCKS_TEXT_LIMIT, TEXT_LIMIT } from '../../ui/limits.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

/** A request that waits for a decision, for a person who asks who can decide it. */
export interface WaitingRequest {
  approval: Pick<Approval, 'taskName' | 'round' | 'votes' | 'handedOver'>;
  crew: Parameters<typeof policyStatements>[0]['crew'];
  /** Null while the crew isn't configured. */
  policy: Policy | null;
  /** Whether another one may apply once the crew has named the task. */
  isProvisional?: boolean;
  /** Where the policy stands. */
  placed: { places: PolicyPlaces; task: number | null };
  /** Whether the person who asks can decide it, and why; mrkdwn. */
  you: string;
  /** The address of the card; null until it is posted. */
  link: string | null;
  name: NameOf;
  /** What to call the people and groups that the policy names; plain text. */
  approverName: (name: string) => string;
}

const MOST_SHOWN = MESSAGE_BLOCKS - 2;
const MOST_TEXT = MESSAGE_BLOCKS_TEXT_LIMIT - 4_200;

/** Who can decide what waits in a channel, as much as a message holds. */
export function waitingRequestsMessage(requests: readonly WaitingRequest[], say: Say): Rendered {
  if (requests.length === 0) return answerMessage(say('who.nothing-waits'));
  const texts = fitting(requests.slice(0, MOST_SHOWN).map((request) => requestText(request, say)));
  const more = requests.length - texts.length;
  const head = say('who.waiting', { count: requests.length });
  return rendered([head, ...texts].join('\n'), [
    ...texts.map(section),
    ...(more > 0 ? [context(say('who.more', { count: more }))] : []),
  ]);
}

function fitting(texts: string[]): string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= MOST_TEXT;
  });
}

function requestText(request: WaitingRequest, say: Say): string {
  const { approval, crew, policy, placed, you, link, approverName, isProvisional } = request;
  const task =
    approval.taskName === null ? '' : `, ${say('text.quoted', { text: escapedLine(approval.taskName, 120) })}`;
  const round = approval.round > 1 ? ` ${say('who.round', { round: approval.round })}` : '';
  const open = link === null ? '' : ` · <${escapeMrkdwn(link)}|${say('alert.open')}>`;
  const wording = { say, nameOf: ({ name }: Approver) => approverName(name) };
  const rules = policy ? policyStatements({ policy, crew }) : [];
  const lines = [
    `✋ *${escapedLine(crew.name, 80)}*${task}${round}${open}`,
    you,
    ...soFar(request, say),
    ...(isProvisional ? [say('who.unnamed')] : []),
    ...bulleted(rules.map((rule) => escapeMrkdwn(sentenceWithPlace(rule, { ...placed, ...wording })))),
  ];
  return cutMrkdwn(lines.join('\n'), TEXT_LIMIT);
}

function soFar({ approval: { votes, handedOver }, policy, name }: WaitingRequest, say: Say): string[] {
  const people = (some: readonly Person[]) => say.list(some.map((person) => nameIn(name, person)));
  const voters = votes.map(({ by }) => by);
  const approved = (quorum: number) =>
    say('who.approved-so-far', { count: voters.length, quorum, people: people(voters) });
  return [
    ...(policy && voters.length > 0 ? [approved(policy.quorum)] : []),
    ...(handedOver.length > 0 ? [say('who.handed-over', { people: people(handedOver.map(({ to }) => to)) })] : []),
  ];
}
