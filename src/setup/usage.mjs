// What each program of this checkout says for --help, and how it reads its arguments. Needs no packages, so that run.mjs answers
// before it installs or builds anything. The packages of the sandbox have help of their own.
import { parseArgs } from 'node:util';

const USAGE = {
  'dist/main.js': `Usage: npm start

Runs the bot until it gets SIGTERM or SIGINT. Its settings are environment variables, or stand in the file .env:
.env.example lists them, docs/configuration.md explains them.`,
  'dist/doctor.js': `Usage: npm run doctor [-- --try-approval CREW [--input NAME=VALUE …] --yes]

Checks the settings, Redis, Slack, the crews and their policies, one line each. Exit code 1 if something is wrong.

  --try-approval CREW  checks instead whether a crew asks and takes an answer, by a real run, whose first request is
                       approved. Stop the bot while it takes. docs/connect.md has more
  --input NAME=VALUE   an input of that run; give it once for each that has no default
  --yes                without it, this only says what it would do`,
  'dist/policy.js': `Usage: npm run policy -- explain --crew C [--task T] [--input NAME=VALUE …] [--user U] [--starter U] [--crews FILE]
                         test FILE [--crews FILE]
                         replay EXPORT [--crews FILE] [--unverified] [--fail]

  explain  says who decides for a crew, where that is set, which conditions count for a request, and what it means for
           a person (--user, which alone takes SLACK_BOT_TOKEN)
  test     tries cases on the rules of a crews file, without Slack, Redis or secrets. Exit code 1 if one isn't as
           expected, 2 if a file can't be read
  replay   says which decisions of an export of the ledger the rules of a crews file would not have allowed, and why

  --crew C      the name of a crew; may be left out if there is only one
  --task T      the name or id of a task
  --input N=V   an input of the run; give it once for each. What isn't given counts as unknown
  --round N     the round of the request (default: 1); likewise --channel ID and --hour H
  --user U      a person: @maria, a name, an e-mail address or an id (U0123ABC)
  --starter U   who started the run, likewise; elsewhere for runs that were started elsewhere
  --crews FILE  a crews file (default: CREWS_FILE)
  --unverified  judge an export that doesn't verify, too
  --fail        exit code 1 if there are such decisions

docs/who-decides/test-rules.md has more.`,
  'dist/audit.js': `Usage: npm run --silent audit -- export [--since D] [--until D] [--crew C] [--ref R] [--after CHECKPOINT]
                                 verify FILE [--key K] [--after CHECKPOINT]
                                 decisions [FILE] [--since D] [--until D] [--by P] [--crew C] [--task T] [--csv]
                                 who RUN
                                 key
                                 sink-key

  export    writes the ledger as JSON Lines, with its proofs; D is a date or time such as 2026-11-22 or 2026-11-22T09:30Z,
            or how long ago that was: 7d, 12h, yesterday
  verify    checks an exported file; needs neither Redis nor settings. Exit code 1 if it isn't as it was exported
  decisions lists who decided what, from the ledger in Redis or from an exported file; P is a person (@maria, a name, an
            e-mail address or an id), T the name of a task. --csv writes comma-separated values
  who       tells one run's story; RUN is a link to its thread, its reference, or a kickoff id
  key       prints the public key
  sink-key  prints the secret that a receiver of AUDIT_SINK verifies webhooks with

docs/audit.md has more.`,
  'dist/report.js': `Usage: npm run --silent report -- --since D [--until D] [--crew C] [--sla T] [--csv | --html FILE]

Counts the requests that were asked in a period, and what has become of them, by crew, task and approver group, from the ledger.

  --since D   those asked at this time or later: a date or time such as 2026-10-01 or 2026-10-01T09:30Z, or how long ago
              that was, such as 30d
  --until D   and before this one
  --crew C    those of one crew
  --sla T     counts, too, what was decided within this time: 30m, 4h, 3d, …
  --csv       writes comma-separated values, with durations in seconds
  --html FILE writes one page with plots into a file, for a manager, on screen and on paper (--sla is 1d unless given)

docs/audit/report.md says what each figure means.`,
  'dist/webhook.js': `Usage: npm run webhook -- CREW

Prints what to paste into kickoffs of a crew that are made elsewhere, so that its requests arrive here, and the token by which
programs ask people by its rules. CREW may be left out if there is only one.`,
  'dist/mcp.js': `Usage: npm run --silent mcp

Serves one tool, ask_a_human, to an agent that speaks the Model Context Protocol over standard input and output. SIGNOFF_URL,
SIGNOFF_ASK_TOKEN and SIGNOFF_POLICY say whom it asks; docs/asks.md has an example.`,
  'src/sandbox/demo/main.ts': `Usage: npm run demo -- [options]

Runs everything on this machine, without accounts: Redis, the crews, a Slack workspace with a web page, and the bot.

  --port NUMBER    the page's port (default: 4000); the crews use PORT + 100, the bot PORT + 200
  --folder FOLDER  where all data is stored (default: .demo); delete it to start over
  --verbose        shows what the bot and the crew service log, which otherwise goes to the file log in that folder`,
  'test/sentences/main.ts': `Usage: npm run sentences

Writes a page with every sentence that people read in Slack, in each language, and says where it is.`,
  'test/promises/main.ts': `Usage: npm run promises

Writes the titles of all tests into one list, by folder and file, and says where it is.`,
  'test/soak/main.ts': `Usage: npm run soak -- [options]

Makes every part fail at random, then checks that each decision arrived once.

  --minutes NUMBER  how long (default: 10)
  --seed NUMBER     of the random numbers (default: 1)`,
  'test/trace/main.ts': `Usage: npm run trace -- click | webhook | due [--files | --functions | --json]
                       --write

Lists the files of src/ that one click, one webhook or one due action goes through, and counts their functions.

  --files      their paths alone
  --functions  each function, with the stage that enters it first
  --json       everything, for programs
  --write      measures click and webhook, and writes what they enter into test/trace/budgets.json; lowers the budgets there
               to what was measured and a little more, and raises none`,
  'test/mutation/main.ts': `Usage: npm run mutate -- [core/policy | core/request | core/execution | redis …] [--every N] [--write]

Changes the code of these folders in a small way, many times, and counts the changes that no test notices. Exit code 1 if the tests
of a folder notice a smaller part than test/mutation/scores.json says. The page .cache/mutation/report.html lists the changes.

  --every N  tries one of N changes (default: 10, as for the scores); 1 tries all, which takes most of an hour
  --write    writes the scores into test/mutation/scores.json`,
  'test/bench/main.ts': `Usage: npm run bench -- [PART …] [options]

Measures the bot beside baselines. CONTRIBUTING.md lists the parts; without any, all are measured.

  --short         counts calls and bytes against test/bench/budgets.json, and measures no times
  --rounds N      how often each is measured (default: 3)
  --durable       Redis writes each change to disk before it answers
  --large         100,000 pending approvals, too
  --json FILE     where the results go (default: .cache/bench.json)
  --compare FILE  shows them beside those of an earlier run`,
};

/** A program, by the path that package.json has. @typedef {keyof typeof USAGE} Program */

/**
 * What a program of this checkout says for --help; null if it isn't asked for, or the program has its own.
 * @param {string} program
 * @param {readonly string[]} args
 */
export function helpFor(program, args) {
  const isAsked = args.some((arg) => arg === '--help' || arg === '-h');
  return isAsked && Object.hasOwn(USAGE, program) ? USAGE[/** @type {Program} */ (program)] : null;
}

/** The arguments make no sense; the message says why. */
export class UsageError extends Error {
  /** @override */
  name = 'UsageError';
}

/** @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>} Options */

/**
 * @template {Options} Wanted
 * @param {readonly string[]} args
 * @param {Wanted} options
 * @param {'words' | 'no-words'} [others] whether there may be arguments that aren't options
 * @throws {UsageError}
 */
export function parseOptions(args, options, others = 'no-words') {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: others === 'words' });
  } catch (error) {
    // Node.js adds advice that doesn't help here.
    const [sentence] = String(error instanceof Error ? error.message : error).split('. ');
    throw new UsageError(`${sentence}.`, { cause: error });
  }
}

/**
 * What a program is asked to do. Where that is its help, or makes no sense, this ends the program, with exit code 0 or 2.
 * @template Asked
 * @param {Program} program
 * @param {(args: string[]) => Asked} read may throw a `UsageError`
 * @returns {Asked}
 */
export function readCommandLine(program, read) {
  const args = process.argv.slice(2);
  const help = helpFor(program, args);
  if (help !== null) {
    console.log(help);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE[program]}`);
    process.exit(2);
  }
}
