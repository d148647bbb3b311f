import type { CrewsAndTokens, Tokens } from './access.ts';

/** What an `Authorization` header can hold after `Bearer`. */
const HEADER_VALUE = /^[\x21-\x7e]+$/;

/** Throws an error that names everything that is wrong with the tokens, but none of them. */
export function checkTokens({ crewNames, tokens, crewTokens }: CrewsAndTokens): void {
  const own = Object.entries(crewTokens);
  const problems = [
    ...problemsOf(tokens, ''),
    ...own.flatMap(([crew, each]) => problemsOf(each, ` of the crew "${crew}"`)),
    ...own
      .filter(([crew]) => !crewNames.includes(crew))
      .map(([crew]) => `There are tokens for "${crew}", but no such crew.`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function problemsOf({ organisation, users = [] }: Tokens, where: string): string[] {
  const named = [
    { owner: `The organisation's token${where}`, token: organisation },
    ...users.map(({ user, token }) => ({ owner: `A user token of ${user}${where}`, token })),
  ];
  return named.flatMap(({ owner, token }, index) => {
    if (!HEADER_VALUE.test(token)) return [`${owner} must be visible ASCII characters without spaces.`];
    const other = named.slice(0, index).find((one) => one.token === token);
    return other ? [`${owner} is the same as another one: nobody could tell who calls.`] : [];
  });
}
