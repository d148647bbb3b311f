import { z } from 'zod';
import { startForStep } from '../../../core/execution/start.ts';
import { waitForEnd } from '../../../core/execution/workflow-steps.ts';
import { type Crew, inputFields, isDeployed, WORKFLOW } from '../../../core/policy/crew.ts';
import { mayStart } from '../../../core/policy/permits.ts';
import { parseApprover } from '../../../core/policy/policy.ts';
import { APPROVER_INPUTS } from '../../../core/state/about.ts';
import type { StepKey } from '../../../core/state/execution.ts';
import type { Inputs } from '../../../core/values/json.ts';
import { ok, type Result, refuse } from '../../../core/values/result.ts';
import { parseDuration } from '../../../core/values/time.ts';
import { findStartPlace } from '../../api/channels.ts';
import { gatherFacts } from '../../directory/directory.ts';
import type { Say } from '../../language/say.ts';
import { messagePerson } from '../../listening/answers.ts';
import type { ListenerContext, StepListener } from '../../listening/context.ts';
import { quotedNames } from '../../request/status-text.ts';
import { matchInputs } from '../../ui/input-values.ts';
import { answerMessage } from '../../ui/modal.ts';
import { cutLine, escapeMrkdwn } from '../../ui/text/escape.ts';
import { fieldsSoon } from '../kickoff/form.ts';
import { failStep, mayHearResult } from './complete.ts';
import { type LinesProblem, parseInputLines } from './input-lines.ts';

// The custom steps of Slack's workflows: https://docs.slack.dev/tools/bolt-js/concepts/custom-steps

/** Listeners by the `callback_id` of the manifest's functions. */
export const steps = {
  ask_for_approval: (args) => onStep(args, once(askForApproval)),
  start_crew: (args) => onStep(args, once(startCrew)),
  wait_for_run: (args) => onStep(args, waitForRun),
} satisfies Record<string, StepListener>;

const text = z
  .string()
  .trim()
  .nullish()
  .catch(null)
  .transform((value) => value || null);

interface Step extends StepKey {
  inputs: unknown;
}

/** A step that begins an execution; `ref` is the execution's. */
interface FirstStep extends Step {
  ref: string;
}

/** Stores what a step asks for. Resolves to the ref of the execution, or to the reason why there is none. */
type TakeStep<Of = Step> = (context: ListenerContext, step: Of) => Promise<Result<string, string>>;

/** Acknowledges the event after the step is stored, or after Slack accepted that it failed. Otherwise Slack delivers the event again. */
async function onStep({ context, event }: Parameters<StepListener>[0], take: TakeStep): Promise<void> {
  const {
    function_execution_id: stepId,
    workflow_execution_id: workflow = null,
    function: { callback_id: step },
    inputs,
  } = event;
  const result = await take(context, { id: stepId, workflow, inputs });
  context.log.info({ step, stepId, ...(result.ok && { ref: result.value }) }, 'a workflow has come to a step');
  if (result.ok) return;
  const answer = await failStep(context, stepId, result.refusal);
  if (answer.kind === 'later') throw new FailureNotTaken(stepId);
  if (answer.kind === 'refused') await notifyStarter(context, inputs, result.refusal);
}

const STARTER = z.object({ started_by: text, asked_by: text, channel: text });

/** Tells the person whom the step names, if any, why it failed, because Slackbot doesn't. Never throws. */
async function notifyStarter(context: ListenerContext, inputs: unknown, why: string): Promise<void> {
  const { started_by, asked_by, channel } = STARTER.parse(inputs ?? {});
  const user = started_by ?? asked_by ?? '';
  if (parseApprover(user)?.kind !== 'person') return;
  const say = context.sayings.ofNamed(context.crews, '');
  await messagePerson(context, { channel, user }, answerMessage(escapeMrkdwn(say('step.refused', { why }))));
}

/** Slack couldn't take the failure of a step. */
class FailureNotTaken extends Error {
  override name = 'FailureNotTaken';

  constructor(stepId: string) {
    super(`Slack did not take that the step ${stepId} has failed`);
  }
}

/** Begins an execution once, although Slack may deliver the step again. A step that has begun isn't judged anew. */
function once(begin: TakeStep<FirstStep>): TakeStep {
  return async (context, step) => {
    const ref = context.createRef({ stepId: step.id });
    return (await context.store.load(ref)) ? ok(ref) : begin(context, { ...step, ref });
  };
}

const START_INPUTS = z.object({ crew: text, channel: text, inputs: text, started_by: text });

/** Starts a crew. Asks Slack and the crew for two seconds at most, so that the event is acknowledged in time. */
const startCrew: TakeStep<FirstStep> = async (context, { ref, inputs, ...step }) => {
  const { crews, sayings, store, identity } = context;
  const { crew: typed, channel, inputs: lines, started_by: starterId } = START_INPUTS.parse(inputs ?? {});
  const match = findCrew(context, typed ?? '');
  if (!match.ok) return match;
  const crew = match.value;
  const say = sayings.ofNamed(crews, crew.name);
  if (channel === null) return refuse(say('step.no-channel'));
  const [refusal, { trouble }, read] = await Promise.all([
    reasonNotByWorkflow(context, { crew, channel, starterId, say }),
    findStartPlace(context.client, identity, channel),
    readInputs(context, { crew, lines: lines ?? '', say }),
  ]);
  if (refusal !== null) return refuse(refusal);
  if (trouble !== null) return refuse(say('step.cannot-post', { bot: identity.botName }));
  if (!read.ok) return read;
  const by = starterId === null ? null : { id: starterId, name: starterId };
  await store.create(ref, (now) => startForStep({ ref, crew: crew.name, channel, inputs: read.value, step, by }, now));
  return ok(ref);
};

function findCrew({ crews, sayings }: Pick<ListenerContext, 'crews' | 'sayings'>, typed: string): Result<Crew, string> {
  const alike = [...crews.values()].find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  const crew = crews.get(typed) ?? alike;
  if (crew) return ok(crew);
  const say = sayings.ofNamed(crews, '');
  return refuse(say('step.no-crew', { crew: cutLine(typed, 80), crews: quotedNames([...crews.keys()], say) }));
}

interface Wanted {
  crew: Crew;
  channel: string;
  /** The person whom the workflow names as its starter. Slack doesn't say who started it. */
  starterId: string | null;
  say: Say;
}

/** Returns why a workflow can't start a crew, as plain text; null if it can. */
async function reasonNotByWorkflow(
  { directory }: Pick<ListenerContext, 'directory'>,
  { crew, channel, starterId, say }: Wanted,
): Promise<string | null> {
  const { name } = crew;
  if (!isDeployed(crew)) return say('step.not-deployed', { crew: name });
  if (crew.requireUserToken) return say('step.own-token', { crew: name });
  if (crew.workflows === 'refused') return say('step.not-by-workflow', { crew: name });
  const isForAll = crew.starters.some(({ kind }) => kind === 'workspace');
  if (starterId === null)
    return isForAll && crew.startedElsewhere === 'followed' ? null : say('step.no-starter', { crew: name });
  const facts = await gatherFacts(directory, { people: [starterId], approvers: crew.starters, channel });
  const permit = mayStart(crew, starterId, facts);
  if (permit.kind === 'permitted') return null;
  return say(permit.denial.kind === 'unsure' ? 'step.unsure' : 'step.may-not-start', { crew: name });
}

/** Reads the values by the crew's fields. If the crew doesn't say soon what it needs, it will say so when it is started. */
async function readInputs(
  context: ListenerContext,
  { crew, lines, say }: { crew: Crew; lines: string; say: Say },
): Promise<Result<Inputs, string>> {
  const answer = await fieldsSoon(context, crew.name);
  const reported = answer?.kind === 'fields' ? answer.fields : null;
  const names = reported?.map(({ name }) => name) ?? null;
  const read = parseInputLines(lines, names);
  if (!read.ok) return refuse(linesText(read.refusal, { crew: crew.name, names, say }));
  const fields = reported ?? inputFields(Object.keys(read.value), crew.inputs);
  const { inputs, missing, wrong } = matchInputs(read.value, fields, say);
  const [first] = Object.entries(wrong);
  if (first) return refuse(say('step.wrong', { name: cutLine(first[0], 60), why: first[1] }));
  if (missing.length > 0)
    return refuse(say('start.these-missing', { crew: crew.name, names: quotedNames(missing, say) }));
  return ok(inputs);
}

function linesText(
  problem: LinesProblem,
  { crew, names, say }: { crew: string; names: string[] | null; say: Say },
): string {
  if (problem.kind === 'repeated') return say('step.repeated', { name: cutLine(problem.name, 60) });
  if (names === null) return say('step.no-names');
  if (names.length === 0) return say('step.no-inputs', { crew });
  return say('step.no-name', { crew, text: cutLine(problem.text, 60), names: quotedNames(names, say) });
}

const ASK_INPUTS = z.object({
  title: text,
  text,
  channel: text,
  approvers: text,
  crew: text,
  asked_by: text,
  time_limit: text,
});

const LONGEST_TITLE = 150;

const askForApproval: TakeStep<FirstStep> = async (context, { ref, inputs, ...step }) => {
  const { crews, sayings, identity } = context;
  const question = ASK_INPUTS.parse(inputs ?? {});
  const { title, channel, asked_by: starterId } = question;
  const match = question.crew === null ? ok(null) : findCrew(context, question.crew);
  if (!match.ok) return match;
  const crew = match.value;
  const say = sayings.ofNamed(crews, crew?.name ?? '');
  if (title === null || question.text === null || channel === null) return refuse(say('step.ask-incomplete'));
  const limitMs = question.time_limit === null ? null : parseDuration(question.time_limit);
  if (limitMs === undefined || limitMs === 0)
    return refuse(say('step.no-time', { text: cutLine(question.time_limit ?? '', 40) }));
  const approvers = approversIn(question.approvers ?? '');
  if (approvers === null || (approvers.length === 0) === (crew === null)) return refuse(say('step.no-approvers'));
  if (crew?.startedElsewhere === 'refused') return refuse(say('step.refuses-elsewhere', { crew: crew.name }));
  // If rules look at who asked, that can't be left to the person who builds the workflow.
  if (crew?.workflows === 'refused') return refuse(say('step.not-asked-by-workflow', { crew: crew.name }));
  const { trouble } = await findStartPlace(context.client, identity, channel);
  if (trouble !== null) return refuse(say('step.cannot-ask', { bot: identity.botName }));
  await context.ask({
    ref,
    crew: crew?.name ?? WORKFLOW,
    channel,
    asker: { kind: 'workflow' },
    by: starterId === null ? null : { id: starterId, name: starterId },
    title: cutLine(title, LONGEST_TITLE),
    text: question.text,
    inputs: Object.fromEntries(approvers.map((id, i) => [APPROVER_INPUTS[i] ?? '', id])),
    why: null,
    outcomes: null,
    fields: null,
    destination: { kind: 'poll' },
    limitMs,
    step,
  });
  return ok(ref);
};

/** Returns the people in a list of Slack's mentions, ids or e-mail addresses. Null if it has anything else, or too many people. */
function approversIn(list: string): string[] | null {
  const words = list.split(/[\s,;]+/).filter((word) => word !== '');
  const names = words.map((word) => /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(word)?.[1] ?? word);
  const arePeople = names.every((name) => ['person', 'email'].includes(parseApprover(name)?.kind ?? ''));
  const people = [...new Set(names)];
  return arePeople && people.length <= APPROVER_INPUTS.length ? people : null;
}

const WAIT_INPUTS = z.object({ ref: text });

/** Waits for the end of a run. Refuses at once if the workflow may not learn the result; if Slack can't tell now, the end decides. */
const waitForRun: TakeStep = async ({ store, sayings, crews, client }, { inputs, ...step }) => {
  const { ref } = WAIT_INPUTS.parse(inputs ?? {});
  const say = sayings.ofNamed(crews, '');
  const record = ref === null ? null : await store.load(ref);
  if (record && (await mayHearResult(client, record.execution, step)) === false) return refuse(say('step.private-run'));
  const changed = ref === null || !record ? null : await store.change(ref, (each, now) => waitForEnd(each, step, now));
  if (ref === null || changed === null || changed.kind === 'absent')
    return refuse(say('step.no-run', { ref: cutLine(ref ?? '', 80) }));
  return changed.kind === 'refused' ? refuse(say('step.too-many')) : ok(ref);
};
