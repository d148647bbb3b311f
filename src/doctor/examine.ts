import { pino } from 'pino';
import type { Config } from '../config/config.ts';
import { createCrewClient } from '../crew/client/client.ts';
import { createCredentials } from '../crew/credentials.ts';
import { createSlackClients } from '../slack/api/clients.ts';
import { slackLogger } from '../slack/api/logger.ts';
import { checkChannels } from './check-channels.ts';
import { checkCrew } from './check-crew.ts';
import { checkPublicAddress } from './check-public-address.ts';
import { checkRedis } from './check-redis.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkScopes, checkSlackMode, checkSlackToken } from './check-slack.ts';
import { checkSlackClock } from './check-slack-clock.ts';
import { type Finding, unchecked, wrong } from './finding.ts';
import { type ManifestScopes, manifestScopes } from './manifest-scopes.ts';
import { checkPolicies } from './policies/check-policies.ts';
import { checkPolicyScopes } from './policies/policy-scopes.ts';

/**
 * Checks everything that the bot depends on, whether it runs or not, and changes nothing. Reports the findings in a fixed
 * order, each as soon as possible. No finding reveals a secret.
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
  const channels = await checkChannels(config, clients.background, identity);
  const policies = await checkPolicies(crews, { client: clients.background, identity });
  return [
    finding,
    checkScopes(identity, manifest),
    ...checkPolicyScopes(crews, identity),
    mode,
    ...channels,
    ...policies,
  ];
}

async function crewFindings({ crews, publicUrl, secrets, webhookAuth }: Config): Promise<Finding[]> {
  const credentials = createCredentials(secrets);
  const client = createCrewClient({ crews, publicUrl, credentials, webhookAuth, log: SILENT });
  try {
    return await Promise.all(crews.map((crew) => checkCrew(crew, client)));
  } finally {
    await client.close();
  }
}

/** A check that throws is a finding as well, and doesn't stop the others. */
async function guarded(about: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown';
    return [wrong(about, `the check failed (${name}).`, 'Run this again, and report it if it fails again.')];
  }
}
