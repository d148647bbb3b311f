import type { z } from 'zod';
import { isFlow, type Run, stateOf } from '../executions/run.ts';
import { answerJson } from '../http/answer.ts';
import { anyJson, type Dialect } from './dialect.ts';
import { observedDialect, position, STATUS, statusBody } from './observed-dialect.ts';
import { flowsKickoff, flowsResume, parseFlowsKickoff, parseFlowsResume } from './parse-request.ts';

/** The result of a flow is its state. */
const FLOW_STATUS = STATUS.extend({ result: anyJson, result_json: anyJson });

/** Deployed services that know flows, event streams, and human-input addresses without credentials. */
export const flowsDialect: Dialect = {
  ...observedDialect,
  name: 'flows',
  // https://docs.crewai.com/en/enterprise/features/flow-hitl-management#error-handling
  answerLimitMs: 30_000,
  parseKickoff: parseFlowsKickoff,
  parseResume: parseFlowsResume,
  // The stream is asked for at kickoff, and goes on.
  addressesAfterResume: ({ stream }, resume) => ({ ...resume, stream }),
  status: (run, id) =>
    run !== undefined && isFlow(run.plan) ? answerJson(200, flowStatus(run)) : observedDialect.status(run, id),
  schemas: { ...observedDialect.schemas, kickoff: flowsKickoff, resume: flowsResume, status: FLOW_STATUS },
};

function flowStatus(run: Run): z.infer<typeof FLOW_STATUS> {
  switch (run.status) {
    case 'running':
    case 'failed':
      return statusBody(run);
    case 'waiting': {
      const paused = { state: 'PAUSED', status: 'awaiting_human_feedback', result: null, result_json: null } as const;
      return { ...paused, ...position(run, null) };
    }
    case 'completed': {
      const state = stateOf(run);
      return { state: 'SUCCESS', status: 'Completed', result: state, result_json: state, ...position(run, null) };
    }
  }
}
