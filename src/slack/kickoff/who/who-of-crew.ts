import type { Person } from '../../../core/approval/approval.ts';
import { mayStart } from '../../../core/approval/policy/may-start.ts';
import { type Permit, permits } from '../../../core/approval/policy/permits.ts';
import { namedIn } from '../../../core/approval/policy/policy.ts';
import type { Crew } from '../../../core/crew.ts';
import { ownRightText } from '../../approval/own-right-text.ts';
import { gatherFacts } from '../../directory/gather-facts.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { Rendered } from '../../ui/blocks.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import { crewRulesMessage } from './crew-rules.ts';

const NO_RUN = { starterId: null, isEscalated: false, handedOver: [] };

/** Who may start a crew in a channel and decide its requests there, and whether the person who asks may. @throws {StoreUnavailable} */
export async function whoOfCrew(
  context: ListenerContext,
  { crew, channel, by }: { crew: Crew; channel: string; by: Person },
): Promise<Rendered> {
  const { directory, connectedTo } = context;
  const approvers = namedBy(crew);
  const [found, isConnected, approverName] = await Promise.all([
    gatherFacts(directory, { people: [by.id], approvers, channel }),
    crew.requireUserToken && connectedTo(crew.name, by.id),
    directory.approverNames(approvers),
  ]);
  const facts = { ...found, connected: crew.requireUserToken ? new Set(isConnected ? [by.id] : []) : null };
  const say = await context.say();
  const own = {
    you: null,
    starterId: null,
    crew: escapedLine(crew.name, 80),
    whoCan: null,
    other: null,
    approverName,
    say,
  };
  // As if others had started the runs.
  const permit = permits({ ...crew.approval, selfApproval: true }, NO_RUN, by.id, facts);
  return crewRulesMessage(crew, {
    approverName,
    places: context.policyPlaces.get(crew.name) ?? new Map(),
    say,
    canStart: ownRightText(mayStart(crew, by.id, facts), { ...own, what: 'start' }),
    canDecide: ownRightText(permit, { ...own, what: requestsMeant(crew, permit) }),
  });
}

function requestsMeant({ approval }: Crew, { kind }: Permit): 'requests' | 'others' {
  return kind === 'permitted' && !approval.selfApproval ? 'others' : 'requests';
}

function namedBy({ starters, approval }: Crew) {
  const policies = [approval, ...approval.tasks];
  return [...starters, ...policies.flatMap(namedIn)];
}
