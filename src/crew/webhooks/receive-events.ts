import type { Output } from '../../core/approval/approval.ts';
import { judgedByName, nameTask } from '../../core/approval/name-task.ts';
import { type Facts, NO_FACTS } from '../../core/approval/policy/facts.ts';
import { recordStep } from '../../core/execution/activity.ts';
import { recordCompletion } from '../../core/execution/completion.ts';
import type { Execution } from '../../core/execution/execution.ts';
import type { LimitMet } from '../../core/execution/limits.ts';
import { hasText, refuseText } from '../../core/execution/limits.ts';
import { endRun } from '../../core/execution/run.ts';
import { recordTask } from '../../core/execution/tasks.ts';
import type { Json } from '../../core/json.ts';
import type { CallbackKey, Changed } from '../../core/ports.ts';
import { ok } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import { changeWithText } from './change-with-text.ts';
import { beyondLimit, done, UNKNOWN_EXECUTION, type WebhookAnswer, type WebhookContext } from './context.ts';
import { linkNewIds } from './link-ids.ts';
import { parseCrew, parseStep, parseTask } from './parse-events.ts';

/** A task completed. With its id, it says what that task is called, which other rules may apply to. */
export async function receiveTask(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseTask(body);
  if (payload.kind === 'bare') return receiveBareEvent(context, key, payload.kickoffId);
  const { kickoffId, taskId, name, agent, summary } = payload;
  const task = { hop: key.hop, kickoffId, name, agent, summary };
  const facts = await findFacts(context, key.ref, { taskId, name });
  return recordWithText(context, { key, kickoffId, what: 'task completed' }, payload.output, (execution, output, now) =>
    nameTask(
      recordTask(execution, { ...task, output }, now),
      { taskId, name },
      { rules: context.rulesOf(execution.crew), facts },
      now,
    ),
  );
}

/** What Slack says about those whose votes and decisions the name of a task puts in question. */
async function findFacts(
  { executions, factsAbout }: WebhookContext,
  ref: string,
  task: { taskId: string | null; name: string | null },
): Promise<Facts> {
  const found = task.taskId === null || task.name === null ? null : await executions.load(ref);
  if (!found) return NO_FACTS;
  const { named, people } = judgedByName(found.execution, task);
  return people.length === 0 ? NO_FACTS : factsAbout(named, people);
}

/** An agent made a step: it goes to the activity list, and the record is touched at most once per window. */
export async function receiveStep(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseStep(body);
  if (payload.kind === 'step') await context.activity.add(key.ref, { at: Date.now(), ...payload.step });
  return receiveBareEvent(context, key, payload.kickoffId);
}

/** The crew finished or failed. */
export async function receiveCrew(context: WebhookContext, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseCrew(body);
  const { kickoffId } = payload;
  const event = { hop: key.hop, kickoffId };
  if (payload.kind === 'failed') {
    const { error } = payload;
    return record(context, { key, kickoffId, what: 'crew failed' }, (execution, now) =>
      endRun(recordStep(execution, event, now), { status: 'failed', error, endedAt: now }, now),
    );
  }
  return recordWithText(context, { key, kickoffId, what: 'crew completed' }, payload.result, (execution, result, now) =>
    recordCompletion(execution, { ...event, result }, now),
  );
}

/** Whatever it says, it proves that the run is alive and has the addresses of this hop. */
function receiveBareEvent(context: WebhookContext, key: CallbackKey, kickoffId: string | null): Promise<WebhookAnswer> {
  const event = { hop: key.hop, kickoffId };
  return record(context, { key, kickoffId, what: 'step' }, (execution, now) => recordStep(execution, event, now));
}

interface Event {
  key: CallbackKey;
  kickoffId: string | null;
  what: string;
}

async function record(
  context: WebhookContext,
  event: Event,
  transition: (execution: Execution, now: Millis) => Execution,
): Promise<WebhookAnswer> {
  const { executions } = context;
  return answer(
    context,
    event,
    await executions.change<never>(event.key.ref, (execution, now) => ok(transition(execution, now))),
  );
}

/** The same for an event that may come with a text. */
async function recordWithText(
  context: WebhookContext,
  event: Event,
  text: string | null,
  transition: (execution: Execution, output: Output | null, now: Millis) => Execution,
): Promise<WebhookAnswer> {
  if (!text) return record(context, event, (execution, now) => transition(execution, null, now));
  const recorded = await changeWithText<LimitMet>(
    context,
    { ref: event.key.ref, text },
    (output) => (execution, now) => {
      const after = transition(execution, output, now);
      return (hasText(after, output) && refuseText(execution, output)) || ok(after);
    },
  );
  return answer(context, event, recorded);
}

async function answer(
  context: WebhookContext,
  { key, kickoffId, what }: Event,
  recorded: Changed<LimitMet>,
): Promise<WebhookAnswer> {
  const level = what === 'step' ? 'debug' : 'info';
  context.log[level]({ ...key, kickoffId, outcome: recorded.kind }, what);
  switch (recorded.kind) {
    case 'absent':
      return UNKNOWN_EXECUTION;
    case 'unchanged':
      return done('noted');
    case 'refused':
      context.wake(key.ref);
      return beyondLimit(context, key.ref, recorded.refusal);
    case 'changed':
      context.wake(key.ref);
      await linkNewIds(context.executions, recorded, { kickoffId });
      return done('accepted');
  }
}
