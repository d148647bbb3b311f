import type { Logger } from 'pino';
import type { Crew } from '../core/crew.ts';
import type { CrewInputs } from '../core/ports.ts';

/** Only a warning: the crew may come up later, and the other crews work. */
export async function reportUnreachableCrews(crews: Crew[], client: CrewInputs, log: Logger): Promise<void> {
  const advice = "couldn't get the inputs of a crew: please check its address and token";
  for (const { name: crew } of crews) {
    const { kind: answer } = await client.inputs(crew);
    if (answer !== 'inputs') log.warn({ crew, answer }, advice);
  }
}
