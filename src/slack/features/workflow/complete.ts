import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import { type CompletionAnswer, endOf, isOfWorkflow, type RunEnd } from '../../../core/execution/workflow-steps.ts';
import type { Crew } from '../../../core/policy/crew.ts';
import { type OutputStore, StoreUnavailable, type WorkflowPort } from '../../../core/ports.ts';
import {
  declineOf,
  type Execution,
  requestOfAsk,
  threadTsOf,
  type WorkflowStep,
} from '../../../core/state/execution.ts';
import type { Verdict } from '../../../core/state/request.ts';
import { cutEnd } from '../../../core/values/cut.ts';
import { isPublic } from '../../api/channels.ts';
import { isTokenError, outcomeOf, slackErrorName } from '../../api/errors.ts';
import { type Identity, permalink } from '../../api/identity.ts';
import type { Say, Sayings } from '../../language/say.ts';
import { kickoffTroubleText } from '../../request/status-text.ts';
import { cutLine, withoutBrackets } from '../../ui/text/escape.ts';
import { troubleOf } from '../kickoff/start.ts';

// Ends steps of workflows: by https://docs.slack.dev/reference/methods/functions.completeSuccess with their outputs, or by
// https://docs.slack.dev/reference/methods/functions.completeError with a text that Slackbot shows to the people of the workflow.

interface CompletionPorts {
  client: WebClient;
  identity: Identity;
  crews: ReadonlyMap<string, Crew>;
  outputs: Pick<OutputStore, 'get'>;
  sayings: Sayings;
  log: Logger;
}

/** Uses the bot's own token, which needs no scope for it. The token of a step ends after 15 minutes. */
export function createWorkflows(ports: CompletionPorts): WorkflowPort {
  return {
    async complete(execution, step) {
      try {
        const end = await endOfStep(ports, execution, step);
        if (end === null) return { kind: 'later', waitMs: null };
        if ('error' in end) return failStep(ports, step.id, end.error);
        const call = ports.client.functions.completeSuccess({ function_execution_id: step.id, outputs: end.outputs });
        return answerTo(call, { stepId: step.id, log: ports.log });
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        return { kind: 'later', waitMs: null };
      }
    },
  };
}

export function failStep(
  { client, log }: Pick<CompletionPorts, 'client' | 'log'>,
  stepId: string,
  error: string,
): Promise<CompletionAnswer> {
  const call = client.functions.completeError({ function_execution_id: stepId, error: withoutBrackets(error) });
  return answerTo(call, { stepId, log });
}

type Outputs = Record<string, string>;

async function answerTo(call: Promise<unknown>, about: { stepId: string; log: Logger }): Promise<CompletionAnswer> {
  try {
    await call;
    return { kind: 'taken' };
  } catch (thrown) {
    return answerOf(thrown, about);
  }
}

/** Errors of a step that has ended, by us or with its workflow. Slack says so only here. */
const OVER = new Set(['execution_not_in_running_state', 'function_execution_not_found']);

function answerOf(error: unknown, { stepId, log }: { stepId: string; log: Logger }): CompletionAnswer {
  const name = slackErrorName(error);
  if (OVER.has(name ?? '')) return { kind: 'over' };
  if (isTokenError(name)) return { kind: 'later', waitMs: null };
  const outcome = outcomeOf(error);
  switch (outcome.kind) {
    case 'later':
      return outcome;
    case 'unknown':
      log.warn({ stepId, err: error }, 'nobody knows whether Slack has taken that a step of a workflow is done');
      return { kind: 'unknown' };
    case 'refused':
    case 'gone':
    case 'frozen':
      log.error(
        { stepId, slackError: name },
        'Slack did not take that a step of a workflow is done: does the app have deploy/manifest-workflows.yml?',
      );
      return { kind: 'refused' };
  }
}

/**
 * Tells whether a step may put out the result of a run; null if Slack can't tell. No person stands behind a step, and refs are in addresses,
 * logs and exports, so results of a private channel go only to the workflow that started the run.
 */
export async function mayHearResult(
  client: WebClient,
  execution: Execution,
  { workflow }: Pick<WorkflowStep, 'workflow'>,
): Promise<boolean | null> {
  return isOfWorkflow(execution, workflow) || isPublic(client, execution.channel);
}

/** Returns the outputs of a step, or why it failed; null if nobody can tell yet. */
async function endOfStep(
  ports: CompletionPorts,
  execution: Execution,
  { awaits, workflow }: WorkflowStep,
): Promise<{ outputs: Outputs } | { error: string } | null> {
  const say = ports.sayings.ofNamed(ports.crews, execution.crew);
  const trouble = troubleText(execution, say);
  const end = endOf(execution);
  if (awaits === 'start') {
    if (trouble !== null) return { error: trouble };
    return { outputs: { ref: execution.ref, link: threadLink(execution, ports.identity) } };
  }
  if (end === null) throw new RangeError('the run has not ended');
  if (awaits === 'decision')
    return { outputs: { ...answerIn(execution), link: threadLink(execution, ports.identity) } };
  const mayHear = await mayHearResult(ports.client, execution, { workflow });
  if (mayHear !== true) return mayHear === null ? null : { error: say('step.private-run') };
  const result = await resultText(ports, execution, { end, trouble, say });
  return { outputs: { state: end, result: silenced(result) } };
}

/** Programs never retry, so a final rejection is simply a rejection. */
const ANSWERS = { approve: 'approved', reject: 'rejected', decline: 'rejected' } as const satisfies Record<
  Verdict,
  string
>;

/** Returns what people decided; `cancelled` if the request was closed otherwise. Slack takes no output without a value. */
function answerIn(execution: Execution): Outputs {
  const request = requestOfAsk(execution);
  const decision =
    request?.state.status === 'delivered' || request?.state.status === 'declined' ? request.state.decision : null;
  if (decision === null || decision.by === null)
    return { decision: decision || request?.state.status === 'expired' ? 'expired' : 'cancelled' };
  const { verdict, by, feedback, at } = decision;
  const comment = feedback?.trim() ? { comment: silenced(fitText(feedback, '…')) } : {};
  return { decision: ANSWERS[verdict], decided_by: by.id, decided_at: new Date(at).toISOString(), ...comment };
}

/** Explains why the crew wasn't started, or may not have been; plain text. */
function troubleText({ run, crew }: Execution, say: Say): string | null {
  const trouble = troubleOf(run);
  if (trouble === null) return null;
  const { sentence, detail } = kickoffTroubleText(trouble, { crew, reader: 'everybody', say });
  return detail === null ? sentence : `${sentence} ${say('start.crew-said', { text: detail })}`;
}

function threadLink(execution: Execution, identity: Identity): string {
  const { channel } = execution;
  const ts = threadTsOf(execution);
  return ts === null ? `${identity.workspaceUrl}archives/${channel}` : permalink(identity, channel, ts, null);
}

/** Slack documents no limit on outputs. So much fits into a message that a later step posts. */
const LONGEST_RESULT = 3_000;

async function resultText(
  { outputs, identity }: CompletionPorts,
  execution: Execution,
  { end, trouble, say }: { end: RunEnd; trouble: string | null; say: Say },
): Promise<string> {
  const { ref, run } = execution;
  switch (end) {
    case 'completed': {
      const output = run.status === 'completed' ? run.result : null;
      const text = output === null ? '' : ((await outputs.get(ref, output.hash)) ?? '');
      return fitText(text, say('step.cut', { link: threadLink(execution, identity) }));
    }
    case 'failed':
      return run.status === 'failed' ? fitText(run.error, '…') : '';
    case 'not-started':
    case 'not-confirmed':
      return trouble ?? '';
    case 'declined': {
      const reason = declineOf(execution)?.feedback ?? null;
      return reason === null ? say('step.declined') : say('step.declined-because', { reason: cutLine(reason, 500) });
    }
    case 'untracked':
      return say('step.untracked');
    case 'lost':
      return say('problem.lost');
  }
}

function fitText(text: string, rest: string): string {
  if (text.length <= LONGEST_RESULT) return text;
  return `${text.slice(0, cutEnd(text, LONGEST_RESULT - rest.length))}${rest}`;
}

/** Returns text of crews and people in which nothing mentions anybody, whatever a later step does with it. */
function silenced(text: string): string {
  return text.replace(/<(?=[!@#])/g, '‹');
}
