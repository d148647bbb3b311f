// `npm run --silent mcp`: a server of the Model Context Protocol by which an agent asks people. It only passes questions and
// answers on. https://modelcontextprotocol.io/specification/2025-06-18/server/tools
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { whyNotHttpAddress, withoutTrailingSlash } from '../../config/fields.ts';
import { parseOptions, readCommandLine } from '../../setup/usage.mjs';
import { Session, type Settings, STATE } from './session.ts';

/** Common clients give up after a minute. */
const MOST_WAIT_S = 50;
/** Clients that hear nothing for longer may give up. */
const PROGRESS_MS = 5_000;

/** Refuses unknown keys: an agent that misspells an argument would believe that people read it. */
const only = (what: string) => (issue: z.core.$ZodRawIssue) =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => `${key.slice(0, 50)} is no ${what}`).join(', and ')
    : undefined;

const ARGUMENTS = z
  .strictObject(
    {
      title: z.string().optional().describe('What it is about, in one line of at most 150 characters.'),
      text: z.string().optional().describe('Everything that people need to decide, as Markdown.'),
      why: z
        .string()
        .optional()
        .describe('Why you want to do it, in at most 2,000 characters. People see it marked as your words.'),
      outcomes: z
        .array(z.string())
        .optional()
        .describe(
          '1 to 100 answers to choose from; with one alone, people can also reject. Without them, people approve or reject.',
        ),
      fields: z
        .array(
          z.strictObject(
            {
              name: z.string().describe('What the value is called in the answer.'),
              label: z.string().optional().describe('What people read above the field, if not its name.'),
              type: z.enum(['text', 'long_text', 'number', 'choice', 'date']).optional().describe('By default text.'),
              options: z.array(z.string()).optional().describe('What to choose from, for a choice.'),
              required: z.boolean().optional().describe('false lets people leave it empty.'),
              help: z.string().optional().describe('What people read below the field.'),
              min: z.number().optional().describe('The least that a number may be.'),
              max: z.number().optional().describe('The most that a number may be.'),
            },
            { error: only('setting of a field') },
          ),
        )
        .optional()
        .describe(
          'For a question that isn’t yes or no: one to ten fields that people fill in. Not together with outcomes.',
        ),
      expires_in: z
        .union([z.number().int(), z.string()])
        .optional()
        .describe('For how long people may decide: seconds, or a time such as 30m or 4h. By default at most a day.'),
      wait: z
        .number()
        .int()
        .min(0)
        .max(MOST_WAIT_S)
        .optional()
        .describe(`For how many seconds to wait for the answer (default and most: ${MOST_WAIT_S}).`),
      ref: z
        .string()
        .optional()
        .describe('Instead of all that: what an earlier call has returned, to go on waiting for its answer.'),
    },
    { error: only('argument of ask_a_human') },
  )
  .refine(
    ({ ref, wait: _, ...question }) => ref === undefined || Object.keys(question).length === 0,
    'ref goes on waiting for what was asked before: give it alone, or with wait',
  );

readCommandLine('dist/mcp.js', (args) => parseOptions(args, {}));
const { settings, problems } = readSettings(process.env);
if (settings) {
  await serve(settings);
} else {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}

function readSettings(env: NodeJS.ProcessEnv): { settings: Settings | null; problems: string[] } {
  const { SIGNOFF_URL: url = '', SIGNOFF_ASK_TOKEN: token = '', SIGNOFF_POLICY: policy = '' } = env;
  const wrong = url === '' ? null : whyNotHttpAddress(url);
  const problems = [
    ...(url === '' ? ['SIGNOFF_URL is missing: the address of the bot, its PUBLIC_URL.'] : []),
    ...(wrong === null ? [] : [`SIGNOFF_URL ${wrong}.`]),
    ...(token === ''
      ? ['SIGNOFF_ASK_TOKEN is missing: `npm run webhook -- CREW` prints it where the bot is set up.']
      : []),
    ...(policy === '' ? ['SIGNOFF_POLICY is missing: the name of the crew whose rules say who decides.'] : []),
  ];
  return { settings: problems.length > 0 ? null : { url: withoutTrailingSlash(url), token, policy }, problems };
}

/** Serves until the client ends it, and then cancels questions whose answers nobody can fetch any more. */
async function serve(settings: Settings): Promise<void> {
  const session = new Session(settings);
  const server = serverFor(session);
  const end = async () => {
    await server.close();
    await session.over();
    process.exit();
  };
  process.stdin.on('end', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  await server.connect(new StdioServerTransport());
}

function serverFor(session: Session): McpServer {
  const server = new McpServer({ name: 'signoff', version: '1' });
  server.registerTool(
    'ask_a_human',
    {
      title: 'Ask a human',
      description:
        'Asks people in Slack to approve, reject or choose, and waits for their answer. People may take hours: if nobody has ' +
        'decided yet, this returns a ref. Call it again with that ref alone; never ask the same thing anew.',
      inputSchema: ARGUMENTS,
      outputSchema: STATE,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    async ({ ref, wait = MOST_WAIT_S, ...question }, extra) => {
      const call = { signal: extra.signal, until: performance.now() + wait * 1_000 };
      const stopReports = reportProgress(extra);
      return (ref === undefined ? session.ask(question, call) : session.goOn(ref, call)).finally(stopReports);
    },
  );
  return server;
}

/**
 * Reports progress to a client that asks for it, so that it doesn't give up. Returns a function that stops that.
 * https://modelcontextprotocol.io/specification/2025-06-18/basic/utilities/progress
 */
function reportProgress({
  _meta,
  sendNotification,
}: RequestHandlerExtra<ServerRequest, ServerNotification>): () => void {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += PROGRESS_MS / 1_000;
    const params = { progressToken, progress, message: 'People haven’t decided yet.' };
    // The call ends in another way if the client is gone.
    sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
