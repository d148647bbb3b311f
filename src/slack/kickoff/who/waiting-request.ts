import type { Approval, Person } from '../../../core/approval/approval.ts';
import type { PolicyPlaces } from '../../../core/approval/policy/places.ts';
import type { Policy } from '../../../core/approval/policy/policy.ts';
import { policyStatements, sentenceWithPlace } from '../../../core/approval/policy/sentences.ts';
import type { Crew } from '../../../core/crew.ts';
import { context, type Rendered, rendered, section } from '../../ui/blocks.ts';
import { bulleted } from '../../ui/bulleted.ts';
import { MESSAGE_BLOCKS, MESSAGE_BLOCKS_TEXT_LIMIT, TEXT_LIMIT } from '../../ui/limits.ts';
import { type NameOf, nameIn } from '../../ui/person.ts';
import { cutMrkdwn, escapedLine, escapeMrkdwn } from '../../ui/text/escape.ts';

/** A request that waits for a decision, for a person who asks who can decide it. */
export interface WaitingRequest {
  approval: Pick<Approval, 'taskName' | 'round' | 'votes' | 'handedOver'>;
  crew: Pick<Crew, 'name' | 'hours' | 'requireUserToken'>;
  policy: Policy;
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

const NOTHING = 'No request waits for a decision here.';

const MOST_SHOWN = MESSAGE_BLOCKS - 2;
const MOST_TEXT = MESSAGE_BLOCKS_TEXT_LIMIT - 4_200;

/** Who can decide what waits in a channel, as much as a message holds. */
export function waitingRequestsMessage(requests: readonly WaitingRequest[]): Rendered {
  if (requests.length === 0) return rendered(NOTHING, [section(NOTHING)]);
  const texts = fitting(requests.slice(0, MOST_SHOWN).map(requestText));
  const more = requests.length - texts.length;
  const head = `${requests.length === 1 ? 'One request waits' : `${requests.length} requests wait`} for a decision here`;
  return rendered([`${head}.`, ...texts].join('\n'), [
    ...texts.map(section),
    ...(more > 0 ? [context(`…and ${more} more that ${more === 1 ? 'doesn’t' : 'don’t'} fit in here`)] : []),
  ]);
}

function fitting(texts: string[]): string[] {
  let length = 0;
  return texts.filter((text) => {
    length += text.length;
    return length <= MOST_TEXT;
  });
}

function requestText(request: WaitingRequest): string {
  const { approval, crew, policy, placed, you, link, approverName } = request;
  const task = approval.taskName === null ? '' : `, “${escapedLine(approval.taskName, 120)}”`;
  const round = approval.round > 1 ? ` (round ${approval.round})` : '';
  const open = link === null ? '' : ` · <${escapeMrkdwn(link)}|Open the approval>`;
  const rules = policyStatements({ policy, crew, nameOf: ({ name }) => approverName(name) });
  const lines = [
    `✋ *${escapedLine(crew.name, 80)}*${task}${round}${open}`,
    you,
    ...soFar(request),
    ...bulleted(rules.map((rule) => escapeMrkdwn(sentenceWithPlace(rule, placed)))),
  ];
  return cutMrkdwn(lines.join('\n'), TEXT_LIMIT);
}

function soFar({ approval: { votes, handedOver }, policy, name }: WaitingRequest): string[] {
  const people = (some: readonly Person[]) => some.map((person) => nameIn(name, person)).join(', ');
  const voters = votes.map(({ by }) => by);
  return [
    ...(voters.length > 0 ? [`Approved so far, ${voters.length} of ${policy.quorum}: ${people(voters)}`] : []),
    ...(handedOver.length > 0 ? [`Handed over to ${people(handedOver.map(({ to }) => to))}`] : []),
  ];
}
