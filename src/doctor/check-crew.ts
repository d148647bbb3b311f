import type { Crew } from '../core/crew.ts';
import type { CrewInputs } from '../core/ports.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

/** Checks that a crew answers and accepts our token, by asking for its inputs. Starts nothing. */
export async function checkCrew({ name }: Crew, client: CrewInputs): Promise<Finding> {
  const about = `Crew ${name}`;
  const answer = await client.inputs(name);
  switch (answer.kind) {
    case 'inputs':
      return fine(about, answer.names.length === 0 ? 'answers; it needs no inputs.' : 'answers and names its inputs.');
    case 'refused':
      return answer.code === 'unauthorized'
        ? wrong(about, 'refuses our token.', 'Copy the bearer token again from its page in the control panel.')
        : wrong(about, 'answers GET /inputs with an error.', 'Check its base URL, and that it is deployed.');
    case 'unreadable':
      return doubtful(
        about,
        'answers, but not with the names of its inputs.',
        'Check its base URL: it usually ends with the host name, unless the control panel shows a path.',
      );
    case 'unreachable':
      return wrong(about, "couldn't reach it.", 'Check its base URL, DNS, firewall and proxy.');
  }
}
