import type { Crew } from '../core/crew.ts';
import type { CrewInputs } from '../core/ports.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

/** Whether a crew is there and takes our token, by asking which inputs it needs. Starts nothing. */
export async function checkCrew({ name }: Crew, client: CrewInputs): Promise<Finding> {
  const about = `Crew ${name}`;
  const answer = await client.inputs(name);
  switch (answer.kind) {
    case 'inputs':
      return fine(about, answer.names.length === 0 ? 'answers; it needs no inputs.' : 'answers and names its inputs.');
    case 'refused':
      return answer.code === 'unauthorized'
        ? wrong(about, 'refuses our token.', 'Copy the bearer token from its page in the control panel once more.')
        : wrong(about, 'answers GET /inputs with an error.', 'Check its base address, and whether it is deployed.');
    case 'unreadable':
      return doubtful(
        about,
        'answers, but not with the names of its inputs.',
        'Check its base address: nothing belongs behind the name of the host unless the control panel says so.',
      );
    case 'unreachable':
      return wrong(about, 'can not be reached.', 'Check its base address and the way there (DNS, firewall, proxy).');
  }
}
