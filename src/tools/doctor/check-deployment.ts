import { request } from 'undici';
import type { Crew } from '../../core/policy/crew.ts';
import { parseJsonBody } from '../../crew/payload.ts';
import { parseStatus } from '../../crew/status.ts';
import { type Finding, fine, unchecked } from './finding.ts';

const ANSWER_MS = 6_000;
/** Id of no run. */
const NO_RUN = '00000000-0000-4000-8000-000000000000';

/**
 * Checks that `platform` fits the service, by its answer about an unknown run: the specification has 404 for it, deployed
 * services a status. Starts nothing. Returns no finding after any other answer.
 */
export async function checkDeployment(crew: Crew): Promise<Finding[]> {
  const { name, platform } = crew;
  const about = `Deployment of ${name}`;
  const trial = `npm run doctor -- --try-approval ${name}`;
  switch (`${await unknownRunAt(crew)}, ${platform}`) {
    case 'status, amp':
      return [
        fine(about, `answers as deployed services do. Not checked: a real pause and answer, which ${trial} does.`),
      ];
    case 'status, null':
      return [
        unchecked(
          about,
          `answers as deployed services do: if it is one, set platform: amp. ${trial} shows what it takes.`,
        ),
      ];
    case '404, amp':
      return [
        unchecked(about, `answers as the specification says, in spite of platform: amp. ${trial} shows what it takes.`),
      ];
    default:
      return [];
  }
}

async function unknownRunAt({ baseUrl, token }: Crew): Promise<'status' | '404' | 'something else'> {
  try {
    const { statusCode, body } = await request(`${baseUrl}/status/${NO_RUN}`, {
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await body.text();
    if (statusCode === 404) return '404';
    const parsed = statusCode === 200 ? parseJsonBody(text) : null;
    return parsed && parseStatus(parsed.value)?.kind === 'not-found' ? 'status' : 'something else';
  } catch {
    return 'something else';
  }
}
