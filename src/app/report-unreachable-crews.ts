import type { Logger } from 'pino';
import type { Crew } from '../core/crew.ts';
import type { CrewInputs } from '../core/ports.ts';

/** An unreachable crew doesn't stop the bot: it may come up later, and the others are there. */
export async function reportUnreachableCrews(crews: Crew[], client: CrewInputs, log: Logger): Promise<void> {
  const advice = 'a crew does not say which inputs it needs: please check its address and token';
  for (const { name: crew } of crews) {
    const { kind: answer } = await client.inputs(crew);
    if (answer !== 'inputs') log.warn({ crew, answer }, advice);
  }
}
