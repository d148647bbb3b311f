import { deflateRawSync } from 'node:zlib';
import { pino } from 'pino';
import type { Config } from '../../config/config.ts';
import { type Crew, isDeployed } from '../../core/policy/crew.ts';
import type { CrewInputs } from '../../core/ports.ts';
import { createCrewClient } from '../../crew/client.ts';
import { createCredentials } from '../../crew/credentials.ts';
import { createSlackClients, slackLogger } from '../../slack/api/clients.ts';
import { checkAuditSink } from './check-audit-sink.ts';
import { checkDeployment } from './check-deployment.ts';
import { checkPublicAddress, checkSlackClock } from './check-network.ts';
import { checkPolicies } from './check-policies.ts';
import { checkRedis } from './check-redis.ts';
import { checkSignIn } from './check-sign-in.ts';
import {
  checkChannels,
  checkCommand,
  checkScopes,
  checkSlackMode,
  checkSlackToken,
  checkWorkspaces,
  type ManifestScopes,
  manifestScopes,
} from './check-slack.ts';
import { doubtful, type Finding, fine, unchecked, wrong } from './finding.ts';
import { checkPolicyScopes } from './rule-sets.ts';

/**
 * Checks everything that the bot depends on, whether it runs or not. Changes nothing, except that AUDIT_SINK gets a test message.
 * Reports the findings in a fixed order, each as soon as possible. No finding reveals a secret.
 * @param manifest the text of the Slack app's manifest
 */
export async function examine(
  config: Config,
  manifest: string,
  report: (finding: Finding) => void,
): Promise<readonly Finding[]> {
  const checks = [
    guarded('Slack', () => slackFindings(config, manifestScopes(manifest))),
    guarded('Redis', () => checkRedis(config.redis, { crews: config.crews.map(({ name }) => name) })),
    guarded('Crews', () => crewFindings(config)),
    guarded('Public address', async () => [await checkPublicAddress(config)]),
    guarded('Credentials', async () => [checkSecrets(config.secrets)]),
    guarded('Audit sink', () => sinkFindings(config)),
    guarded('Identity provider', async () => (config.signIn ? [await checkSignIn(config.signIn, config)] : [])),
    guarded('Clock of Slack', async () => [await checkSlackClock(config.slack.apiUrl)]),
  ];
  const findings: Finding[] = [];
  for (const group of checks) {
    for (const finding of await group) {
      findings.push(finding);
      report(finding);
    }
  }
  return findings;
}

/** Turns a check that throws into a finding, so that it doesn't stop the others. */
async function guarded(about: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    return [wrong(about, `the check failed (${name}).`, 'Run this again, and report it if it fails again.')];
  }
}

const SILENT = pino({ level: 'silent' });

async function slackFindings(config: Config, manifest: ManifestScopes): Promise<Finding[]> {
  const { slack, crews, publicUrl } = config;
  const { botToken: token, apiUrl } = slack;
  const clients = createSlackClients({ token, apiUrl, logger: slackLogger(SILENT) });
  const [{ finding, identity }, mode] = await Promise.all([
    checkSlackToken(clients),
    checkSlackMode(slack.mode, { apiUrl, publicUrl, logger: slackLogger(SILENT) }),
  ]);
  if (!identity) return [finding, mode, unchecked('Scopes, channels and policies', 'not checked without the token.')];
  const workspaces = await checkWorkspaces(identity, clients.background);
  const channels = await checkChannels(config, clients.background, identity);
  const policies = await checkPolicies(crews, { client: clients.background, identity });
  return [
    finding,
    ...workspaces,
    checkScopes(identity, manifest),
    ...checkPolicyScopes(crews, identity),
    mode,
    checkCommand(slack.command),
    ...channels,
    ...policies,
  ];
}

async function crewFindings({ crews, publicUrl, secrets, webhookAuth }: Config): Promise<Finding[]> {
  const credentials = createCredentials(secrets);
  const client = createCrewClient({ crews, publicUrl, credentials, webhookAuth, log: SILENT });
  try {
    const findings = await Promise.all(
      crews.map(async (crew) => {
        if (!isDeployed(crew))
          return [fine(`Crew ${crew.name}`, 'has no base_url: others ask by its rules, and nothing starts it.')];
        const finding = await checkCrew(crew, client);
        return finding.mark === 'wrong' ? [finding] : [finding, ...(await checkDeployment(crew))];
      }),
    );
    return findings.flat();
  } finally {
    await client.close();
  }
}

/** Checks that a crew answers and accepts our token, by asking for its inputs. Starts nothing. */
async function checkCrew({ name }: Crew, client: CrewInputs): Promise<Finding> {
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
    case 'busy':
      return doubtful(about, 'answers that it is starting or busy.', 'Run this again in a few minutes.');
    case 'error':
      return wrong(about, 'answers GET /inputs with an error of its own.', 'See the log of its service.');
  }
}

async function sinkFindings({ audit: { sink, days }, secrets }: Config): Promise<Finding[]> {
  return sink === null ? [] : [await checkAuditSink(sink, { secrets, auditDays: days })];
}

/** Checks APP_SECRET without revealing it. */
export function checkSecrets([newest, ...older]: readonly [string, ...string[]]): Finding {
  const about = 'Credentials';
  if (!looksRandom(newest))
    return doubtful(about, "APP_SECRET doesn't look random.", 'Generate one with `openssl rand -hex 32`.');
  if (older.length === 0) return fine(about, `APP_SECRET looks random, and has ${newest.length} characters.`);
  return doubtful(
    about,
    `APP_SECRET is being changed: ${older.length} older one${older.length === 1 ? ' is' : 's are'} still accepted.`,
    'Remove what follows the comma once the runs that started under it have ended.',
  );
}

/** Random characters hardly ever repeat, run in sequence or compress beyond these thresholds. */
const LEAST_DIFFERENT = 7;
const MOST_IN_SEQUENCE = 0.4;
const LEAST_COMPRESSED = 0.65;

function looksRandom(secret: string): boolean {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0);
  const inSequence = codes.filter((code, index) => code - (codes[index - 1] ?? code) === 1).length;
  if (new Set(secret).size < LEAST_DIFFERENT || inSequence > MOST_IN_SEQUENCE * codes.length) return false;
  return deflateRawSync(secret).length > LEAST_COMPRESSED * secret.length;
}
