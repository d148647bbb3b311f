// Shows what a person has just decided in their Home, with the button to take it back, because the row that they clicked is gone.
import type { SectionBlock } from '@slack/types';
import { type CardModel, cardModel } from '../../../core/messages/view-models.ts';
import type { RulesOf } from '../../../core/policy/crew.ts';
import type { VoteStanding } from '../../../core/policy/progress.ts';
import type { ExecutionStore } from '../../../core/ports.ts';
import { findRequest } from '../../../core/state/execution.ts';
import { allVotes, decisionOf, type HumanRequest } from '../../../core/state/request.ts';
import { MINUTE_MS, type Millis } from '../../../core/values/time.ts';
import type { Say } from '../../language/say.ts';
import { requestTitle, stageNames, stateSentence } from '../../request/card-state.ts';
import { countOf, findStanding, takeBackButton } from '../../request/outcome.ts';
import { section } from '../../ui/blocks.ts';
import { escapedLine } from '../../ui/text/escape.ts';
import type { HomeState } from './state.ts';

export interface LastDecision {
  /** `reopened`: the person has taken the decision back. */
  kind: 'approved' | 'voted' | 'reopened';
  model: CardModel;
  /** Standing of the vote while others have to approve, too. */
  standing: VoteStanding | null;
}

/** Returns null if the decision is older than a minute, or if others have gone on since. Throws `StoreUnavailable`. */
export async function findLastDecision(
  { store, rulesOf }: { store: Pick<ExecutionStore, 'load'>; rulesOf: RulesOf },
  last: HomeState['last'],
  { personId, now }: { personId: string; now: Millis },
): Promise<LastDecision | null> {
  if (last === null || now >= last.at + MINUTE_MS) return null;
  const execution = (await store.load(last.ref))?.execution;
  const request = execution && findRequest(execution, last.approvalId);
  const kind = request && kindOf(request, personId);
  if (!execution || !request || !kind) return null;
  const standing = findStanding({ rulesOf }, { execution, request }, personId);
  return { kind, model: cardModel(execution, request), standing };
}

function kindOf(request: HumanRequest, personId: string): LastDecision['kind'] | null {
  if (request.state.status === 'pending')
    return allVotes(request.discussion).some(({ by }) => by.id === personId) ? 'voted' : 'reopened';
  const decision = decisionOf(request);
  return decision?.verdict === 'approve' && decision.by?.id === personId ? 'approved' : null;
}

export function lastDecisionBlock(last: LastDecision, say: Say): SectionBlock {
  const back = last.kind === 'reopened' ? null : takeBackButton(last.model, last.standing, say);
  // Slack gives a block without an id a new one with each publication, and a click at that moment could be lost.
  return { ...section(textOf(last, say)), block_id: 'home_last', ...(back && { accessory: back }) };
}

function textOf(last: LastDecision, say: Say): string {
  const title = requestTitle(last.model, say);
  if (last.kind === 'reopened') return say('home.reopened', { title });
  return `${say('home.you-approved', { title })}\n${consequence(last, say)}`;
}

function consequence({ kind, model, standing }: LastDecision, say: Say): string {
  if (kind === 'voted')
    return standing?.kind === 'stage'
      ? say('home.stage-complete', stageNames(standing.stage))
      : say('home.counts', countOf(model, standing));
  return model.state.kind === 'undoable'
    ? stateSentence(model, { name: ({ name }) => name, say })
    : say('home.continues', { crew: escapedLine(model.crew, 80) });
}
