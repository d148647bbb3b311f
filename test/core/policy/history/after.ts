import { type DueAction, dueActionsAt } from '../../../../src/core/due-actions.ts';
import { stopFollowing } from '../../../../src/core/execution/tracking.ts';
import { NO_FACTS } from '../../../../src/core/policy/permits.ts';
import { ask, followRules } from '../../../../src/core/request/ask.ts';
import { decline } from '../../../../src/core/request/decline.ts';
import { endHandOvers, takeBack } from '../../../../src/core/request/hand-over.ts';
import { judgeVotes, nameTask } from '../../../../src/core/request/name-task.ts';
import { claimResume, settleResume } from '../../../../src/core/request/resume.ts';
import { escalate, expire, remind } from '../../../../src/core/request/timers.ts';
import { PROCESS } from '../../../support/claims.ts';
import { request } from '../../../support/executions.ts';
import { output } from '../../../support/requests.ts';
import { valueFrom } from '../../../support/value-from.ts';
import { resumeAnswer } from '../../histories/answers.ts';
import { SAM } from '../runner/cast.ts';
import { approvalIn } from '../runner/scene.ts';
import { clicked, IDS, stored } from './clicks.ts';
import type { Move } from './moves.ts';
import { lookUp, processWith } from './process.ts';
import { POLICIES, type Truth } from './truth.ts';
import { changed, pick, truthOf, type World } from './world.ts';

/** The world after one move. */
export function after(before: World, move: Move): World {
  const world = { ...before, change: null };
  const { execution, now } = world;
  switch (move.kind) {
    case 'time passes':
      return { ...world, now: now + move.ms };
    case 'a person joins or leaves':
      return { ...world, past: [...world.past, regrouped(world, move)] };
    case 'an account changes':
      return { ...world, past: [...world.past, accountChanged(world, move)] };
    case 'Slack can’t tell, or can again':
      return { ...world, past: [...world.past, toldOrNot(world, move.name)] };
    case 'a process gets a policy':
      return restarted(world, move);
    case 'a person clicks':
      return clicked(world, move);
    case 'a click is stored':
      return world.clicks.length === 0 ? world : stored(world, pick(world.clicks, move.click));
    case 'an absence ends':
      return changed(world, takeBack(execution, pick(IDS, move.person), null, now));
    case 'a timer is due':
      return timed(world, move);
    case 'a worker sends':
      return changed(world, claimResume(execution, '1', PROCESS, now));
    case 'the crew answers':
      return answered(world, move.answer);
    case 'the crew names the task':
      return named(world, move.process);
    case 'a worker judges the votes':
      return judged(world, move.process);
    case 'a newer round comes':
      return newerRound(world, move.process);
    case 'a person stops following':
      return changed(
        world,
        valueFrom(stopFollowing(execution, { by: SAM, policy: pick(POLICIES, 0), facts: NO_FACTS }, now)),
      );
  }
}

function regrouped(world: World, move: Extract<Move, { kind: 'a person joins or leaves' }>): Truth {
  const truth = truthOf(world);
  const id = pick(IDS, move.person);
  const [name, ids] = pick(Object.entries(truth.members), move.group);
  const others = [...ids].filter((each) => each !== id);
  return { ...truth, members: { ...truth.members, [name]: new Set(ids.has(id) ? others : [...others, id]) } };
}

function accountChanged(world: World, move: Extract<Move, { kind: 'an account changes' }>): Truth {
  const truth = truthOf(world);
  const id = pick(IDS, move.person);
  const account = truth.accounts[id];
  if (!account) return truth;
  const { isGuest, isDeactivated } = account;
  const change = move.change % 3 === 0 ? { isGuest: !isGuest } : { isDeactivated: !isDeactivated };
  return { ...truth, accounts: { ...truth.accounts, [id]: { ...account, ...change } } };
}

function toldOrNot(world: World, number: number): Truth {
  const truth = truthOf(world);
  const name = pick([...IDS, ...Object.keys(truth.members)], number);
  const untold = new Set(truth.untold);
  if (!untold.delete(name)) untold.add(name);
  return { ...truth, untold };
}

/** A process that is restarted knows nothing yet, and its clicks are lost. Requests follow its policy. */
function restarted(world: World, move: Extract<Move, { kind: 'a process gets a policy' }>): World {
  const fresh = processWith(pick(POLICIES, move.policy));
  const processes = world.processes.map((each, i) => (i === move.process ? fresh : each));
  const clicks = world.clicks.filter(({ process }) => process !== move.process);
  const { policy } = fresh;
  return changed({ ...world, processes, clicks }, followRules(world.execution, { policy, hours: null }, world.now), {
    policy,
  });
}

const TIMERS: Partial<Record<DueAction['kind'], typeof expire>> = {
  remind,
  escalate,
  expire,
  decline: (execution, id, _rules, now) => decline(execution, id, now),
  'end-hand-overs': (execution, _id, _rules, now) => endHandOvers(execution, now),
};

/** What is due; if nothing is, a process that is late tries one of the timers all the same. */
function timed(world: World, { process, timer }: Extract<Move, { kind: 'a timer is due' }>): World {
  const { policy } = pick(world.processes, process);
  const due = dueActionsAt(world.execution, world.now).find(({ kind }) => kind in TIMERS);
  const run = (due && TIMERS[due.kind]) ?? pick(Object.values(TIMERS), timer);
  return changed(world, run(world.execution, '1', { policy, hours: null }, world.now), { policy });
}

function answered(world: World, answer: number): World {
  const [request] = world.execution.requests;
  if (request?.state.status !== 'sending') return world;
  const told = { approvalId: '1', attempt: request.state.attempts.length, answer: resumeAnswer(answer, 'k2') };
  return changed(world, settleResume(world.execution, told, world.now));
}

function named(world: World, number: number): World {
  const { policy } = pick(world.processes, number);
  const task = { taskId: 'draft', name: pick(TASK_NAMES, Math.floor(world.now / 1_000)) };
  return changed(world, nameTask(world.execution, task, { policy, hours: null }, world.now), { policy });
}

const TASK_NAMES = ['publish', 'publish', 'draft', 'other'];

/** A worker finds out whether the votes are complete by the rules that are left. */
function judged(world: World, number: number): World {
  const { execution, now } = world;
  const people = [SAM.id, ...approvalIn(execution).discussion.votes.map(({ by }) => by.id), ...giversIn(execution)];
  const { process, facts } = lookUp(pick(world.processes, number), { people, truth: truthOf(world), now });
  const processes = world.processes.map((each, i) => (i === number ? process : each));
  const { policy } = process;
  const after = judgeVotes(execution, '1', { policy, facts, text: 'Approved.' }, now);
  return changed({ ...world, processes }, after, { policy });
}

function giversIn(execution: World['execution']): string[] {
  const {
    discussion: { handedOver, stages },
  } = approvalIn(execution);
  return [...handedOver.map(({ by }) => by.id), ...stages.flatMap(({ votes }) => votes.map(({ by }) => by.id))];
}

function newerRound(world: World, process: number): World {
  const { execution, now } = world;
  const rules = { policy: pick(world.processes, process).policy, hours: null };
  const newer = request({
    hop: execution.hop + 1,
    output: output(`draft ${execution.requests.length}`),
    taskName: null,
  });
  const asked = ask(execution, newer, now, rules);
  return asked.ok ? changed(world, asked.value) : world;
}
