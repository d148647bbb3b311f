import { isFlow, type Run, stateOf } from '../executions/run.ts';
import { answerJson } from '../http/answer.ts';
import type { JsonObject } from '../json.ts';
import type { Dialect } from './dialect.ts';
import { observedDialect, position, statusBody } from './observed-dialect.ts';
import { parseFlowsKickoff, parseFlowsResume } from './parse-request.ts';

/** Deployed services that know flows, event streams, and human-input addresses without credentials. */
export const flowsDialect: Dialect = {
  ...observedDialect,
  name: 'flows',
  // https://docs.crewai.com/en/enterprise/features/flow-hitl-management#error-handling
  answerLimitMs: 30_000,
  parseKickoff: parseFlowsKickoff,
  parseResume: parseFlowsResume,
  // The stream is asked for at kickoff, and goes on.
  addressesAfterResume: ({ stream }, given) => ({ ...given, stream }),
  status: (run, id) =>
    run !== undefined && isFlow(run.plan) ? answerJson(200, flowStatus(run)) : observedDialect.status(run, id),
};

function flowStatus(run: Run): JsonObject {
  switch (run.status) {
    case 'running':
    case 'failed':
      return statusBody(run);
    case 'waiting': {
      const paused = { state: 'PAUSED', status: 'awaiting_human_feedback', result: null, result_json: null };
      return { ...paused, ...position(run, null) };
    }
    case 'completed': {
      const state = stateOf(run);
      return { state: 'SUCCESS', status: 'Completed', result: state, result_json: state, ...position(run, null) };
    }
  }
}
