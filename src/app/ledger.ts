import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { policyHash } from '../core/approval/policy/document.ts';
import type { Millis } from '../core/time.ts';
import { type RunningSealer, startSealer } from '../ledger/sealer.ts';
import type { RedisClient } from '../redis/connection/call.ts';
import { recordPolicies, recordRefusedStart } from '../redis/ledger/policies.ts';
import { beginPrinting } from '../redis/ledger/printed.ts';
import { findChannel } from '../slack/api/channels.ts';
import type { SlackClients } from '../slack/api/clients.ts';
import { postText } from '../slack/api/post-text.ts';
import type { RefusedStart } from '../slack/interaction/listener-context.ts';

/** What this process does for the ledger beside the entries of runs, which their store writes. */
export interface Ledger {
  /** Enters a start that was refused. Throws `StoreUnavailable`. */
  recordRefusedStart(refused: RefusedStart): Promise<void>;
  /** To be called before anything is entered: enters the policies that are new. Throws `StoreUnavailable`. */
  begin(): Promise<void>;
  startSealing(clients: SlackClients, everyMs?: Millis): RunningSealer;
}

export function createLedger(redis: RedisClient, config: Config, log: Logger): Ledger {
  const { crews, secrets, audit } = config;
  const { days: auditDays, channel } = audit;
  const policies = new Map(crews.map(({ name, approval }) => [name, approval]));
  return {
    async recordRefusedStart({ crew, by, reason, requestId }) {
      const policy = policyHash(policies.get(crew) ?? null);
      const facts = { approval: null, action: 'start', by, reason, policy };
      await recordRefusedStart(redis, crew, { facts, requestId, auditDays });
    },
    async begin() {
      if (audit.log === 'stdout') await beginPrinting(redis);
      await recordPolicies(redis, crews, { auditDays });
    },
    startSealing: ({ background }, everyMs) =>
      startSealer(redis, log, {
        ...{ secrets, auditDays, auditLog: audit.log, ...(everyMs !== undefined && { everyMs }) },
        postCheckpoint: channel === null ? null : (text) => postCheckpoint(background, channel, text),
      }),
  };
}

async function postCheckpoint(client: SlackClients['background'], idOrName: string, text: string): Promise<void> {
  const channel = await findChannel(client, idOrName);
  if (channel === null) throw new Error('AUDIT_CHANNEL names a channel that the bot does not see.');
  await postText(client, channel, text);
}
