import { parseArgs } from 'node:util';
import type { Config } from '../../config/config.ts';
import { parseApprover } from '../../core/approval/policy/approver.ts';
import { ELSEWHERE, explainPerson, type SlackLookUp } from './explain-person.ts';
import { explainPolicy, findPolicy } from './explain-policy.ts';

interface Options {
  crew: string | null;
  task: string | null;
  user: string | null;
  starter: string | null;
}

export interface CommandAnswer {
  text: string;
  isError: boolean;
}

const USAGE = `Usage: npm run policy -- explain --crew C [--task T] [--user U [--starter U]]
C is the name of a crew, T the name or id of a task, U the id (U0123ABC) or e-mail address of a person.
--starter elsewhere is about runs that were started elsewhere.`;

/** Answers `npm run policy -- explain …`. Slack is asked only about people. */
export async function answerPolicyCommand(
  { crews, policyPlaces }: Pick<Config, 'crews' | 'policyPlaces'>,
  args: string[],
  slack: SlackLookUp,
): Promise<CommandAnswer> {
  const options = parseOptions(args);
  const names = crews.map(({ name }) => name);
  const crew = crews.find(({ name }) => name === (options?.crew ?? (names.length === 1 ? names[0] : null)));
  if (!options || !crew) return { text: `${USAGE}\nThe crews are: ${names.join(', ')}`, isError: true };
  const { task, user, starter } = options;
  const rules = explainPolicy({ crew, places: policyPlaces.get(crew.name) ?? new Map(), task });
  const { policy } = findPolicy(crew, task);
  const person = user === null ? [] : ['', ...(await explainPerson({ crew, policy, user, starter }, slack))];
  return { text: [...rules, ...person].join('\n'), isError: false };
}

/** Null if they can't be used. */
function parseOptions(args: string[]): Options | null {
  const text = { type: 'string' } as const;
  try {
    const options = { crew: text, task: text, user: text, starter: text };
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const { crew = null, task = null, user = null, starter = null } = values;
    const isUsable =
      positionals.join() === 'explain' &&
      isPerson(user) &&
      (starter === ELSEWHERE || isPerson(starter)) &&
      (user !== null || starter === null);
    return isUsable ? { crew, task, user, starter } : null;
  } catch {
    return null;
  }
}

function isPerson(idOrAddress: string | null): boolean {
  return idOrAddress === null || ['person', 'email'].includes(parseApprover(idOrAddress)?.kind ?? '');
}
