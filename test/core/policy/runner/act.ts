import { stopFollowing } from '../../../../src/core/execution/tracking.ts';
import type { Refusal } from '../../../../src/core/policy/refusal.ts';
import { askApprovers } from '../../../../src/core/request/alerts.ts';
import type { Choice } from '../../../../src/core/request/choice.ts';
import { decide } from '../../../../src/core/request/decide.ts';
import { handOver } from '../../../../src/core/request/hand-over.ts';
import { sendAgain } from '../../../../src/core/request/resume.ts';
import { undo, withdraw } from '../../../../src/core/request/retract.ts';
import type { Execution } from '../../../../src/core/state/execution.ts';
import type { Output, Person } from '../../../../src/core/state/request.ts';
import type { Result } from '../../../../src/core/values/result.ts';
import { output } from '../../../support/requests.ts';
import { person } from './cast.ts';
import { permissionIn, type Scene } from './scene.ts';

/** The text of the crew, and two that people make of it. */
const CREW_TEXT = output('first draft');
const [EDITED, OTHER_EDITED] = [output('edited draft'), output('other draft')];

type Act = (scene: Scene, by: Person) => Result<Execution, Refusal>;

const choose =
  (choice: Choice, review: 'confirmed' | 'unasked' = 'unasked'): Act =>
  (scene, by) =>
    decide(scene.execution, '1', { choice, by, review, ...permissionIn(scene) }, scene.now);

const APPROVE: Choice = { verdict: 'approve', feedback: null, text: 'Approved.' };

/** What a person does who was shown another text than that which is decided by now. */
const shown =
  ({ hash: revision }: Output, does: typeof undo | typeof withdraw): Act =>
  (scene, by) =>
    does(scene.execution, '1', { by, ...permissionIn(scene), revision }, scene.now);

const chooseOld =
  (choice: Choice): Act =>
  (scene, by) =>
    decide(scene.execution, '1', { choice, by, ...permissionIn(scene), revision: CREW_TEXT.hash }, scene.now);

const ACTS: Record<string, Act> = {
  approve: choose(APPROVE),
  'approve, confirmed': choose(APPROVE, 'confirmed'),
  'approve with edits': choose({ ...APPROVE, edited: EDITED }),
  'approve with other edits': choose({ ...APPROVE, edited: OTHER_EDITED }),
  'approve without the edits': choose({ ...APPROVE, edited: CREW_TEXT }),
  'approve the old text': chooseOld(APPROVE),
  'reject the old text': chooseOld({ verdict: 'reject', feedback: 'Shorter' }),
  'undo the old text': shown(CREW_TEXT, undo),
  'undo the edits': shown(EDITED, undo),
  'withdraw the edits': shown(EDITED, withdraw),
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
