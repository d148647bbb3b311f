// Plays consecutive verdicts on one request by the rules that may turn out to apply, with their stages.

import type { PossibleRules } from '../../core/policy/in-force.ts';
import type { Facts, Subject } from '../../core/policy/permits.ts';
import { type Evaluation, evaluate } from '../../core/policy/verdict.ts';
import type { Verdict } from '../../core/state/request.ts';

export interface Said {
  personId: string;
  verdict: Verdict;
  /** True if the person has signed in for it, where required. */
  isSignedIn: boolean;
}

/** A verdict, the rules that were possible then, and its effect. */
export interface Turn<Each extends Said> {
  said: Each;
  policies: readonly PossibleRules[];
  evaluation: Evaluation;
  /** The verdict that opened the stage, by place of the rules; none in the first stage. */
  opened: ReadonlyMap<string, Each>;
}

interface Circumstances<Each extends Said> {
  /** Returns the possible rules once the stages with these keys are complete. */
  rulesAfter: (stages: readonly string[], turn: Pick<Turn<Each>, 'said' | 'opened'>) => readonly PossibleRules[];
  /** Returns the circumstances of a verdict. */
  known: (turn: Pick<Turn<Each>, 'said' | 'policies'>) => { subject: Subject; facts: Facts };
}

/** Plays verdicts until one decides. A verdict that doesn't count changes nothing. */
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
