// What verdicts on one request amount to, one after the other, by the rules that may turn out to apply, which may have stages.

import type { Facts, Subject } from '../../core/policy/evaluate.ts';
import type { PossibleRules } from '../../core/policy/in-force.ts';
import { type Evaluation, evaluate } from '../../core/policy/verdict.ts';
import type { Verdict } from '../../core/state/approval.ts';

export interface Said {
  personId: string;
  verdict: Verdict;
  /** Whether the person has signed in for it, where that is asked for. */
  isSignedIn: boolean;
}

/** A verdict, the rules that were possible when it was given, and what it amounted to. */
export interface Turn<Each extends Said> {
  said: Each;
  policies: readonly PossibleRules[];
  evaluation: Evaluation;
  /** The verdict that has opened the stage, by the places of rules; none in the first one. */
  opened: ReadonlyMap<string, Each>;
}

interface Circumstances<Each extends Said> {
  /** The possible rules once these stages are complete, by their keys. */
  rulesAfter: (stages: readonly string[], turn: Pick<Turn<Each>, 'said' | 'opened'>) => readonly PossibleRules[];
  /** What a verdict is judged by. */
  known: (turn: Pick<Turn<Each>, 'said' | 'policies'>) => { subject: Subject; facts: Facts };
}

/** Takes verdicts until one decides. One that doesn't count changes nothing. */
export function takeTurns<Each extends Said>(
  verdicts: readonly Each[],
  { rulesAfter, known }: Circumstances<Each>,
): Turn<Each>[] {
  const turns: Turn<Each>[] = [];
  const stages = new Map<string, { key: string; used: { personId: string; holder: string }[] }>();
  const signedIn: string[] = [];
  let votes: string[] = [];
  let opened: ReadonlyMap<string, Each> = new Map();
  for (const said of verdicts) {
    const policies = rulesAfter([...stages.keys()], { said, opened });
    if (said.isSignedIn) signedIn.push(said.personId);
    const turn = { said, policies, opened };
    const ballot = { ...said, ...known(turn), votes, signedIn, stages: [...stages.values()] };
    const evaluation = evaluate(policies, ballot);
    turns.push({ ...turn, evaluation });
    if (evaluation.kind === 'decides') return turns;
    if (evaluation.kind !== 'counts') continue;
    const gone = evaluation.lapsed.map(({ personId }) => personId);
    votes = [...votes.filter((id) => id !== said.personId && !gone.includes(id)), said.personId];
    for (const { rules, completes } of evaluation.courses) {
      for (const { key, votes: counted } of completes)
        stages.set(key, { key, used: counted.map(({ personId, right }) => ({ personId, holder: right.holder })) });
      if (completes.length > 0) opened = new Map([...opened, [rules.place, said]]);
    }
  }
  return turns;
}
