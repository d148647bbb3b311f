import { askApprovers } from '../../../../src/core/approval/alerts.ts';
import { type Choice, decide, undo, withdraw } from '../../../../src/core/approval/decide.ts';
import { handOver } from '../../../../src/core/approval/hand-over.ts';
import { sendAgain } from '../../../../src/core/approval/resume.ts';
import { stopFollowing } from '../../../../src/core/execution/tracking.ts';
import type { Refusal } from '../../../../src/core/policy/refusal.ts';
import type { Person } from '../../../../src/core/state/approval.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import type { Result } from '../../../../src/core/values/result.ts';
import { person } from './cast.ts';
import { permissionIn, type Scene } from './scene.ts';

type Act = (scene: Scene, by: Person) => Result<Execution, Refusal>;

const choose =
  (choice: Choice, review: 'confirmed' | 'unasked' = 'unasked'): Act =>
  (scene, by) =>
    decide(scene.execution, '1', { choice, by, review, ...permissionIn(scene) }, scene.now);

const APPROVE: Choice = { verdict: 'approve', feedback: null, text: 'Approved.' };

const ACTS: Record<string, Act> = {
  approve: choose(APPROVE),
  'approve, confirmed': choose(APPROVE, 'confirmed'),
  'approve with a note': choose({ verdict: 'approve', feedback: 'Nice', text: 'Nice' }),
  reject: choose({ verdict: 'reject', feedback: 'Shorter' }),
  'reject without a word': choose({ verdict: 'reject', feedback: null }),
  decline: choose({ verdict: 'decline', feedback: 'Wrong product' }),
  'decline without a word': choose({ verdict: 'decline', feedback: null }),
  withdraw: (scene, by) => withdraw(scene.execution, '1', { by, ...permissionIn(scene) }, scene.now),
  undo: (scene, by) => undo(scene.execution, '1', { by, ...permissionIn(scene) }, scene.now),
  'send again': (scene, by) => sendAgain(scene.execution, '1', { by, ...permissionIn(scene) }, scene.now),
  'stop following': (scene, by) => stopFollowing(scene.execution, { by, ...permissionIn(scene) }, scene.now),
  ask: (scene, by) => askApprovers(scene.execution, '1', { by, ...permissionIn(scene) }, scene.now),
};

/** Does what a row says, as this person: one of the above, or `hand over to Anna`. */
export function act(scene: Scene, name: string, action: string): Result<Execution, Refusal> {
  const by = person(name);
  const [, to] = /^hand over to (\w+)$/.exec(action) ?? [];
  if (to !== undefined)
    return handOver(scene.execution, '1', { by, to: person(to), ...permissionIn(scene) }, scene.now);
  const acts = ACTS[action];
  if (!acts) throw new Error(`Nobody can "${action}".`);
  return acts(scene, by);
}
