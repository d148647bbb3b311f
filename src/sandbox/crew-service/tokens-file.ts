import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { UsageError } from './command-line.ts';
import type { Tokens, UserToken } from './http/access.ts';

const userTokens = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const tokensOfCrew = z.strictObject({
  organisation: z.string(),
  users: userTokens.default({}),
  user_access: z.enum(['own', 'all']).default('own'),
});
const tokensFile = z.strictObject({ tokens: z.record(z.string(), z.union([z.string(), tokensOfCrew])) });

/**
 * Reads YAML or JSON with the tokens of each crew: `tokens: { haiku: { organisation: TOKEN, users: { maria: TOKEN } } }`,
 * or just `haiku: TOKEN`. A user may have a list of tokens. `user_access: all` lets users see the runs of others, too.
 * Rejects with `UsageError`, never with a token in its message.
 */
export async function readTokensFile(path: string): Promise<Record<string, Tokens>> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`CREW_TOKENS_FILE: ${path} can't be read (${error.code}).`);
  });
  const parsed = tokensFile.safeParse(yamlIn(text, path));
  if (!parsed.success) {
    // Zod's words may repeat what was written, which may be a token in the wrong place.
    const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'its top level');
    throw new UsageError(`CREW_TOKENS_FILE: ${path} is not as it should be at ${[...new Set(places)].join(', ')}.`);
  }
  const crews = Object.entries(parsed.data.tokens);
  return Object.fromEntries(crews.map(([crew, given]) => [crew, tokensFrom(given)]));
}

function tokensFrom(given: string | z.output<typeof tokensOfCrew>): Tokens {
  if (typeof given === 'string') return { organisation: given };
  const users = Object.entries(given.users).flatMap(([user, tokens]): UserToken[] =>
    [tokens].flat().map((token) => ({ user, token })),
  );
  return { organisation: given.organisation, users, userAccess: given.user_access };
}

/** All values are text, so that a token of digits stays as it is. */
function yamlIn(text: string, path: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, lineCounter });
  const [error] = document.errors;
  // Errors may quote what is written there, and with it a token.
  if (error !== undefined)
    throw new UsageError(`CREW_TOKENS_FILE: ${path} is not YAML at line ${lineCounter.linePos(error.pos[0]).line}.`);
  try {
    return document.toJS();
  } catch {
    throw new UsageError(`CREW_TOKENS_FILE: ${path} uses an alias (*name) that it doesn't have.`);
  }
}
