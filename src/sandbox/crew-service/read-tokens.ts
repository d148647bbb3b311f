import { randomBytes } from 'node:crypto';
import { UsageError } from './command-line.ts';
import type { Tokens, UserToken } from './http/access.ts';
import { readTokensFile } from './tokens-file.ts';

type TokenSettings = {
  readonly tokens: Tokens;
  readonly crewTokens: Readonly<Record<string, Tokens>>;
  /** Whether the organisation's token was made up, so that nobody knows it yet. */
  readonly isGenerated: boolean;
};

/**
 * The tokens that the environment names. A crew with tokens of its own takes no others.
 * Rejects with `UsageError`, never with a token in its message.
 */
export async function readTokens(env: NodeJS.ProcessEnv): Promise<TokenSettings> {
  const pairs = readPairs(env.CREW_TOKENS, 'CREW_TOKENS');
  const byName = new Map<string, Tokens>(pairs.map(({ name, token }) => [name, { organisation: token }]));
  if (byName.size < pairs.length) throw new UsageError('CREW_TOKENS names a crew twice.');
  const inFile = env.CREW_TOKENS_FILE ? await readTokensFile(env.CREW_TOKENS_FILE) : {};
  const twice = Object.keys(inFile).find((crew) => byName.has(crew));
  if (twice !== undefined) throw new UsageError(`Both CREW_TOKENS and CREW_TOKENS_FILE have tokens of "${twice}".`);
  return {
    tokens: {
      organisation: env.CREW_SERVICE_TOKEN || randomBytes(24).toString('base64url'),
      users: readUserTokens(env.CREW_SERVICE_USER_TOKENS ?? ''),
    },
    crewTokens: { ...Object.fromEntries(byName), ...inFile },
    isGenerated: !env.CREW_SERVICE_TOKEN,
  };
}

/** `maria=TOKEN,jon=TOKEN` → user tokens. Throws `UsageError`, never with a token in its message. */
function readUserTokens(text: string): UserToken[] {
  return readPairs(text, 'CREW_SERVICE_USER_TOKENS').map(({ name, token }) => ({ user: name, token }));
}

function readPairs(text: string | undefined, variable: string): { name: string; token: string }[] {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  return pairs.map((pair, index) => {
    const [, name, token] = /^\s*([^=\s]+)=(\S+)\s*$/.exec(pair) ?? [];
    if (name === undefined || token === undefined)
      throw new UsageError(`Entry ${index + 1} of ${variable} is not of the form name=token.`);
    return { name, token };
  });
}
