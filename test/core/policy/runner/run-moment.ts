import { checkClaims } from '../../../../src/core/claimed-calls.ts';
import type { ResumeAnswer } from '../../../../src/core/execution/events.ts';
import { recordStatus } from '../../../../src/core/execution/tracking.ts';
import { ask, followRules } from '../../../../src/core/request/ask.ts';
import { decline } from '../../../../src/core/request/decline.ts';
import { claimResume, settleResume } from '../../../../src/core/request/resume.ts';
import { escalate, expire, remind } from '../../../../src/core/request/timers.ts';
import { checkAt, PROCESS } from '../../../support/claims.ts';
import { request } from '../../../support/executions.ts';
import { account, output } from '../../../support/requests.ts';
import { valueFrom } from '../../../support/value-from.ts';
import { act } from './act.ts';
import { person } from './cast.ts';
import { milliseconds, readPolicy } from './read-policy.ts';
import { approvalIn, type Scene } from './scene.ts';

type Step = (scene: Scene, ...words: string[]) => Scene;

/** What has happened before, in the words of the table. Whatever a person did must have been allowed. */
const STEPS: [RegExp, Step][] = [
  [/^undecided$/, (scene) => scene],
  [
    /^(\w+) approved with (other )?edits$/,
    (scene, name, other = '') => done(scene, name, `approve with ${other}edits`),
  ],
  [/^(\w+) approved$/, (scene, name) => done(scene, name, 'approve')],
  [/^(\w+) rejected$/, (scene, name) => done(scene, name, 'reject')],
  [/^(\w+) declined$/, (scene, name) => done(scene, name, 'decline')],
  [/^(\w+) withdrew$/, (scene, name) => done(scene, name, 'withdraw')],
  [/^(\w+) undid it$/, (scene, name) => done(scene, name, 'undo')],
  [/^(\w+) asked$/, (scene, name) => done(scene, name, 'ask')],
  [/^(\w+) stopped following$/, (scene, name) => done(scene, name, 'stop following')],
  [/^(\w+) handed it to (\w+)$/, (scene, name, to) => done(scene, name, `hand over to ${to}`)],
  [/^an older build let (\w+) hand it to (\w+)$/, (scene, by, to) => handedBefore(scene, by, to)],
  [/^(\w+) passed$/, (scene, duration) => later(scene, scene.now + milliseconds(duration))],
  [/^(\w+) left (\S+)$/, (scene, name, group) => regrouped(scene, group, (ids) => ids.delete(person(name).id))],
  [/^(\w+) joined (\S+)$/, (scene, name, group) => regrouped(scene, group, (ids) => ids.add(person(name).id))],
  [/^(\w+) was deactivated$/, (scene, name) => changed(scene, name, { isDeactivated: true })],
  [/^(\w+) became a guest$/, (scene, name) => changed(scene, name, { isGuest: true })],
  [
    /^Slack can't tell who (\w+) is$/,
    (scene, name) => ({ ...scene, accounts: { ...scene.accounts, [person(name).id]: null } }),
  ],
  [
    /^Slack can't tell who is in (\S+)$/,
    (scene, group) => ({ ...scene, members: { ...scene.members, [group]: null } }),
  ],
  [/^only (\w+) has a token$/, (scene, name) => ({ ...scene, connected: new Set([person(name).id]) })],
  [/^now (.+)$/, (scene, policy) => ruled(scene, readPolicy(policy))],
  [/^it is being sent$/, (scene) => sent(scene)],
  [/^the crew took it$/, (scene) => answered(scene, { kind: 'accepted', kickoffId: 'k2' })],
  [/^the crew refused it$/, (scene) => answered(scene, REFUSED)],
  [/^nobody knows whether it arrived$/, (scene) => unanswered(sent(scene))],
  [/^a newer round came$/, (scene) => newerRound(scene)],
  [/^the run failed$/, (scene) => ({ ...scene, execution: recordStatus(scene.execution, FAILED, scene.now) })],
];

const FAILED = { kind: 'failed', error: 'no paper' } as const;
const REFUSED: ResumeAnswer = {
  kind: 'refused',
  failure: { kind: 'refused', code: 'quota', status: 400, detail: 'no' },
};

/** Brings a scene to a moment: what has happened, in order, separated by semicolons. */
export function runMoment(scene: Scene, moment: string): Scene {
  return moment.split(';').reduce((each, text) => step(each, text.trim()), scene);
}

function step(scene: Scene, text: string): Scene {
  for (const [pattern, run] of STEPS) {
    const found = pattern.exec(text);
    if (found) return run(scene, ...found.slice(1));
  }
  throw new Error(`Nothing happens like "${text}".`);
}

function done(scene: Scene, name = '', action: string): Scene {
  return { ...scene, execution: valueFrom(act(scene, name, action)) };
}

/** Stores a hand-over that this build refuses. */
function handedBefore(scene: Scene, by = '', to = ''): Scene {
  const request = approvalIn(scene.execution);
  const added = { by: person(by), to: person(to), at: scene.now, until: null };
  const requests = [
    { ...request, discussion: { ...request.discussion, handedOver: [...request.discussion.handedOver, added] } },
  ];
  return { ...scene, execution: { ...scene.execution, requests } };
}

function regrouped(scene: Scene, group = '', change: (ids: Set<string>) => void): Scene {
  const ids = new Set(scene.members[group]);
  change(ids);
  return { ...scene, members: { ...scene.members, [group]: ids } };
}

function changed(scene: Scene, name = '', change: Parameters<typeof account>[1]): Scene {
  const { id } = person(name);
  return { ...scene, accounts: { ...scene.accounts, [id]: account(id, change) } };
}

/** A process starts with another policy; what is over by it happens at once. */
function ruled(scene: Scene, policy: Scene['policy']): Scene {
  const execution = followRules(scene.execution, { policy, hours: null }, scene.now);
  return later({ ...scene, policy, execution }, scene.now);
}

const TIMERS = { expireAt: expire, escalateAt: escalate, remindAt: remind } as const;

/** Time passes, and everything that it brings about happens when it is due. */
function later(scene: Scene, until: number): Scene {
  const {
    state: { status },
    discussion: { times },
  } = approvalIn(scene.execution);
  const due = Object.entries(TIMERS)
    .map(([name, run]) => ({ at: times[name as keyof typeof TIMERS], run }))
    .filter((timer): timer is typeof timer & { at: number } => timer.at !== null && timer.at <= until)
    .sort((one, other) => one.at - other.at)[0];
  if (!due || status !== 'pending') return { ...scene, now: until, execution: decline(scene.execution, '1', until) };
  const now = Math.max(scene.now, due.at);
  return later(
    { ...scene, now, execution: due.run(scene.execution, '1', { policy: scene.policy, hours: null }, now) },
    until,
  );
}

function sent(scene: Scene): Scene {
  return { ...scene, execution: claimResume(scene.execution, '1', PROCESS, scene.now) };
}

function answered(scene: Scene, answer: ResumeAnswer): Scene {
  const { execution, now } = sent(scene);
  return { ...scene, execution: settleResume(execution, { approvalId: '1', attempt: 1, answer }, now) };
}

function unanswered(scene: Scene): Scene {
  const now = scene.now + 60_000;
  return { ...scene, now, execution: checkClaims(scene.execution, checkAt(now)) };
}

function newerRound({ execution, ...scene }: Scene): Scene {
  const newer = request({ hop: 9, output: output('second draft') });
  return { ...scene, execution: valueFrom(ask(execution, newer, scene.now, { policy: scene.policy, hours: null })) };
}
