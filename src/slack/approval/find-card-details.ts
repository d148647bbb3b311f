import type { Approval, Person } from '../../core/approval/approval.ts';
import { isProvisional, namedIn, policyFor } from '../../core/approval/policy/policy.ts';
import type { Crew, RulesOf } from '../../core/crew.ts';
import { type Execution, starterOf } from '../../core/execution/execution.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import type { OutputStore } from '../../core/ports.ts';
import type { NamesOf } from '../api/users.ts';
import type { FindChange } from '../compare/change.ts';
import type { SlackDirectory } from '../directory/slack-directory.ts';
import type { CardDetails } from './card-details.ts';
import { findEditsMade } from './find-edits-made.ts';
import { findLastRound } from './find-last-round.ts';

/** Where the details of a request come from. */
export interface CardPorts {
  outputs: OutputStore;
  crews: ReadonlyMap<string, Crew>;
  rulesOf: RulesOf;
  namesOf: NamesOf;
  approverNames: SlackDirectory['approverNames'];
  findChange: FindChange;
}

type Found = Pick<CardDetails, 'output' | 'notes' | 'deciders' | 'lastRound' | 'editsMade' | 'name'>;

/** The text of a request, what led to it, and the names of those who can decide by the policy as it is now. */
export async function findCardDetails(
  { outputs, crews, rulesOf, namesOf, approverNames, findChange }: CardPorts,
  { execution, approval }: { execution: Execution; approval: Approval },
  model: CardModel,
): Promise<Found> {
  const decision = 'decision' in model.state ? model.state.decision : null;
  const { policy: crewPolicy } = rulesOf(execution.crew);
  const policy = policyFor(crewPolicy, approval);
  const starter = policy && !policy.selfApproval ? starterOf(execution) : null;
  const named = policy ? namedIn(policy) : [];
  const [output, lastRound, name, approverName, editsMade] = await Promise.all([
    outputs.get(execution.ref, approval.output.hash),
    findLastRound(findChange, execution, approval),
    namesOf(decision?.by, model.ledBy?.by, starter, ...peopleOn(approval)),
    approverNames(named.filter(({ kind }) => kind !== 'workspace')),
    model.state.kind === 'pending' ? findEditsMade(outputs, { execution, approval }, model) : null,
  ]);
  const notes = crews.get(execution.crew)?.approvalNotes === false ? 'hidden' : 'offered';
  const deciders = policy && { policy, isProvisional: isProvisional(crewPolicy, approval), starter, approverName };
  return { output, notes, deciders: model.crewMissing ? null : deciders, lastRound, editsMade, name };
}

function peopleOn({ votes, handedOver }: Approval): Person[] {
  return [...votes.map(({ by }) => by), ...handedOver.flatMap(({ to, by }) => [to, by])];
}
