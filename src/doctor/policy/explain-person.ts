import { parseApprover } from '../../core/approval/policy/approver.ts';
import { barredStarters, type Policy } from '../../core/approval/policy/policy.ts';
import type { Crew } from '../../core/crew.ts';
import type { Directory } from '../../core/ports.ts';
import { gatherFacts } from '../../slack/directory/gather-facts.ts';
import { personSentence } from './person-sentence.ts';

/** In place of a starter: the run was started elsewhere. */
export const ELSEWHERE = 'elsewhere';

/** What explanations ask Slack for. No method throws. */
export interface SlackLookUp {
  directory: Directory;
  /** The id of a channel given by id or name; null if Slack can't tell. */
  channelId(idOrName: string): Promise<string | null>;
}

interface Asked {
  crew: Crew;
  policy: Policy;
  /** An id or an e-mail address, as that of the starter. */
  user: string;
  /** `elsewhere`: the run was started there. Null if another person started it. */
  starter: string | null;
}

/** What a policy means for a person, in plain sentences. */
export async function explainPerson({ crew, policy, user, starter }: Asked, slack: SlackLookUp): Promise<string[]> {
  const isElsewhere = starter === ELSEWHERE;
  const [personId, starterId] = await Promise.all([
    idOf(user, slack.directory),
    idOf(isElsewhere ? null : starter, slack.directory),
  ]);
  if (personId === null) return [`Slack can’t say whose address ${user} is.`];
  if (starter !== null && !isElsewhere && starterId === null) return [`Slack can’t say whose address ${starter} is.`];
  // As if another person had started the run.
  const judged = starter === null ? { ...policy, selfApproval: true } : policy;
  const usesChannel = [...policy.approvers, ...policy.escalateTo].some(({ kind }) => kind === 'channel');
  const channel = usesChannel && crew.channel !== null ? await slack.channelId(crew.channel) : null;
  const facts = await gatherFacts(slack.directory, {
    people: [personId],
    approvers: [...policy.approvers, ...policy.escalateTo],
    starters: barredStarters(judged, starterId),
    channel: channel ?? '',
  });
  return [
    personSentence(judged, { personId, name: user, starterId, facts }),
    ...(usesChannel ? [channelSentence(crew)] : []),
    ...(starter === null && !policy.selfApproval ? [`If ${user} started the run, they can’t decide it.`] : []),
    ...(crew.requireUserToken ? [`Either way, ${user} needs a token of their own, which is not checked here.`] : []),
  ];
}

/** Null if there is none, or Slack can't tell whose address it is. */
async function idOf(idOrAddress: string | null, directory: Directory): Promise<string | null> {
  const approver = idOrAddress === null ? null : parseApprover(idOrAddress);
  if (approver?.kind !== 'email') return approver?.name ?? null;
  const [id = null] = (await directory.membersOf(approver, '')) ?? [];
  return id;
}

function channelSentence({ channel }: Crew): string {
  return channel === null
    ? 'The crew has no channel of its own: whose members count depends on where the run is started.'
    : `This assumes that the request is posted in ${channel}, the crew’s own channel.`;
}
