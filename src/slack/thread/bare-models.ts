import type { Decision, ResumeFailure } from '../../core/approval/approval.ts';
import type { CompletedTask, Run } from '../../core/execution/execution.ts';
import type { CardModel, CardState, RootModel } from '../../core/messages/view-models.ts';

// View models without the text of crews and people, for messages whose content Slack refuses for no known reason.

export function bareCard(model: CardModel): CardModel {
  const votes = model.votes.map((vote) => ({ ...vote, feedback: null }));
  return { ...model, taskName: null, ledBy: null, votes, state: bareState(model.state) };
}

export function bareRoot(model: RootModel): RootModel {
  const { progress, openCard, run } = model;
  return {
    ...model,
    inputs: {},
    run: bareRun(run),
    progress: { ...progress, current: null },
    openCard: openCard && { ...openCard, taskName: null },
  };
}

export function bareTask(task: CompletedTask): CompletedTask {
  return { ...task, name: null, agent: null, summary: '' };
}

function bareState(state: CardState): CardState {
  switch (state.kind) {
    case 'pending':
    case 'expired':
      return state;
    case 'undoable':
    case 'telling':
    case 'told':
      return { ...state, decision: bareDecision(state.decision) };
    case 'failed':
      return { ...state, decision: bareDecision(state.decision), failure: bareFailure(state.failure) };
    case 'superseded':
      return { ...state, decision: state.decision && bareDecision(state.decision) };
  }
}

function bareDecision(decision: Decision): Decision {
  return { ...decision, feedback: null };
}

function bareFailure(failure: ResumeFailure): ResumeFailure {
  return failure.kind === 'refused' ? { ...failure, detail: '' } : failure;
}

function bareRun(run: Run): Run {
  switch (run.status) {
    case 'failed':
      return { ...run, error: '' };
    case 'not-started':
      return { ...run, refusal: { ...run.refusal, detail: '', missing: [] } };
    case 'starting':
    case 'running':
    case 'waiting':
    case 'completed':
    case 'lost':
    case 'unconfirmed':
      return run;
  }
}
