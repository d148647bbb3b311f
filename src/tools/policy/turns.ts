// What verdicts on one request amount to, one after the other, by rules that may have stages.

import { stageKey } from '../../core/policy/document.ts';
import { type Evaluation, evaluate, type Facts, type Subject } from '../../core/policy/evaluate.ts';
import type { Policy } from '../../core/policy/policy.ts';
import type { Verdict } from '../../core/state/approval.ts';

export interface Said {
  personId: string;
  verdict: Verdict;
  /** Whether the person has signed in for it, where that is asked for. */
  isSignedIn: boolean;
}

/** A verdict, the rules that were in force when it was given, and what it amounted to. */
export interface Turn<Each extends Said> {
  said: Each;
  policy: Policy;
  evaluation: Evaluation;
  /** The verdict that has opened the stage; null in the first one. */
  opened: Each | null;
}

interface Circumstances<Each extends Said> {
  /** The rules in force once these stages are complete, by their keys. */
  rulesAfter: (stages: readonly string[]) => Policy;
  /** What a verdict is judged by. */
  known: (turn: Pick<Turn<Each>, 'said' | 'policy' | 'opened'>) => { subject: Subject; facts: Facts };
}

/** Takes verdicts until one decides. One that doesn't count changes nothing. */
export function takeTurns<Each extends Said>(
  verdicts: readonly Each[],
  { rulesAfter, known }: Circumstances<Each>,
): Turn<Each>[] {
  const turns: Turn<Each>[] = [];
  const stages: string[] = [];
  const before: { personId: string; holder: string }[] = [];
  const signedIn: string[] = [];
  let votes: string[] = [];
  let opened: Each | null = null;
  for (const said of verdicts) {
    const policy = rulesAfter(stages);
    if (said.isSignedIn) signedIn.push(said.personId);
    const turn = { said, policy, opened };
    const evaluation = evaluate(policy, { ...said, ...known(turn), votes, before, signedIn });
    turns.push({ ...turn, evaluation });
    switch (evaluation.kind) {
      case 'allowed':
        return turns;
      case 'refused':
      case 'not-signed-in':
        break;
      case 'needs':
        votes = [...evaluation.votes, evaluation.own].map(({ personId }) => personId);
        break;
      case 'stage': {
        const counted = [...evaluation.votes, evaluation.own];
        before.push(...counted.map(({ personId, right: { holder } }) => ({ personId, holder })));
        stages.push(...policy.stages.slice(policy.stage, policy.stage + 1).map(stageKey));
        votes = [];
        opened = said;
      }
    }
  }
  return turns;
}
