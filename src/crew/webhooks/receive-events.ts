import type { Execution } from '../../core/execution/execution.ts';
import { noteCompletion, noteStep, noteTask } from '../../core/execution/progress.ts';
import { endRun } from '../../core/execution/run.ts';
import type { Json } from '../../core/json.ts';
import type { CallbackKey } from '../../core/ports.ts';
import { ok } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import { done, UNKNOWN_EXECUTION, type WebhookAnswer, type WebhookDoor } from './context.ts';
import { linkNewIds } from './link-ids.ts';
import { parseCrew, parseStep, parseTask } from './parse-events.ts';

/** A task completed. */
export async function receiveTask(door: WebhookDoor, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseTask(body);
  if (payload.kind === 'bare') return receiveSign(door, key, payload.kickoffId);
  const { kickoffId, name, agent, summary } = payload;
  const output = payload.output ? await door.outputs.put(key.ref, payload.output) : null;
  const task = { hop: key.hop, kickoffId, name, agent, summary, output };
  return note(door, { key, kickoffId, what: 'task completed' }, (execution, now) => noteTask(execution, task, now));
}

/** An agent made a step: kept in the activity list, and the record is touched at most once a window. */
export async function receiveStep(door: WebhookDoor, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseStep(body);
  if (payload.kind === 'step') await door.activity.add(key.ref, { at: Date.now(), ...payload.step });
  return receiveSign(door, key, payload.kickoffId);
}

/** The crew finished, or says that it failed. */
export async function receiveCrew(door: WebhookDoor, key: CallbackKey, body: Json): Promise<WebhookAnswer> {
  const payload = parseCrew(body);
  const { kickoffId } = payload;
  const sign = { hop: key.hop, kickoffId };
  if (payload.kind === 'failed') {
    const { error } = payload;
    return note(door, { key, kickoffId, what: 'crew failed' }, (execution, now) =>
      endRun(noteStep(execution, sign, now), { status: 'failed', error, endedAt: now }, now),
    );
  }
  const result = payload.result ? await door.outputs.put(key.ref, payload.result) : null;
  return note(door, { key, kickoffId, what: 'crew completed' }, (execution, now) =>
    noteCompletion(execution, { ...sign, result }, now),
  );
}

/** Whatever it says, the run is alive and has the addresses of this hop. */
function receiveSign(door: WebhookDoor, key: CallbackKey, kickoffId: string | null): Promise<WebhookAnswer> {
  const sign = { hop: key.hop, kickoffId };
  return note(door, { key, kickoffId, what: 'step' }, (execution, now) => noteStep(execution, sign, now));
}

async function note(
  door: WebhookDoor,
  { key, kickoffId, what }: { key: CallbackKey; kickoffId: string | null; what: string },
  transition: (execution: Execution, now: Millis) => Execution,
): Promise<WebhookAnswer> {
  const noted = await door.executions.change<never>(key.ref, (execution, now) => ok(transition(execution, now)));
  const level = what === 'step' ? 'debug' : 'info';
  door.log[level]({ ...key, kickoffId, outcome: noted.kind }, what);
  switch (noted.kind) {
    case 'absent':
      return UNKNOWN_EXECUTION;
    case 'unchanged':
    case 'refused':
      return done('noted');
    case 'changed':
      door.wake(key.ref);
      await linkNewIds(door.executions, noted, { kickoffId });
      return done('accepted');
  }
}
