import { CONTENDERS, type Contender, type Setup } from './contenders.ts';

/** The results of each server, one a round. */
export type Rounds<Result> = Record<Contender, Result[]>;

/**
 * Measures every server once a round, so that what changes about the machine meanwhile changes all of them.
 * @param contenders those that are measured; the bot comes first, since the others get copies of its cards
 */
export async function interleaved<Result>(
  setup: Setup,
  contenders: readonly Contender[],
  measure: (contender: Contender) => Promise<Result>,
): Promise<Rounds<Result>> {
  const rounds: Rounds<Result> = { signoff: [], 'bare-http': [], 'bare-bolt': [], 'lean-bolt': [] };
  for (let round = 0; round < setup.rounds; round++) {
    await setup.machine.look();
    for (const contender of CONTENDERS)
      if (contenders.includes(contender)) rounds[contender].push(await measure(contender));
  }
  await setup.machine.look();
  return rounds;
}
