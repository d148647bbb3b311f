// The HTTP routes of crews, programs and sign-ins, made from the parts of the bot.

import { threadTsOf } from '../core/state/execution.ts';
import { cardTsOf } from '../core/state/message.ts';
import { type AskRoutes, createAskRoutes } from '../crew/asks/routes.ts';
import { createWebhooks, type Webhooks } from '../crew/webhooks/routes.ts';
import { ChannelIds, findStartPlace } from '../slack/api/channels.ts';
import { permalink } from '../slack/api/identity.ts';
import { reportInChannel } from '../slack/thread/notices.ts';
import { READABLE_LENGTH } from '../slack/ui/limits.ts';
import { redirectUriAt } from '../step-up/addresses.ts';
import type { StepUpPages } from '../step-up/routes.ts';
import type { Parts } from './parts.ts';

export function webhooksOf(parts: Parts): Webhooks {
  const { config, store, recentOutputs: outputs, crews, clients, metrics, log } = parts;
  const client = clients.background;
  const channelOf = (crew: string) => parts.crewChannels.of(crew, { client, workspaces: parts.workspaces });
  const refusing = new Set<string>();
  return createWebhooks({
    ...parts,
    executions: store,
    outputs,
    crews: config.crews,
    channelOf,
    async report(event) {
      const channel = await channelOf(event.crew).catch(() => null);
      await reportInChannel({ client, channel, say: parts.sayings.of(crews.get(event.crew)), log }, event);
    },
    countRefused(crew) {
      metrics.refusedElsewhere(crew);
      // A crew may ask for such runs all day, so the log has it once.
      if (refusing.has(crew)) return;
      refusing.add(crew);
      log.warn(
        { crew },
        'refused a request of an execution started elsewhere, as the crew is set to; more are only counted',
      );
    },
    readableLength: READABLE_LENGTH,
  });
}

export function askRoutesOf(
  parts: Parts,
  { version, stopping }: { version: string; stopping: AbortSignal },
): AskRoutes {
  const { config, store, identity, workspaces } = parts;
  const client = parts.clients.background;
  const slack = { client, workspaces };
  const channelIds = new ChannelIds(slack);
  return createAskRoutes({
    ...parts,
    executions: store,
    crews: config.crews,
    async channelOf(crew, nameOrId) {
      const channel = nameOrId === null ? await parts.crewChannels.of(crew, slack) : await channelIds.find(nameOrId);
      if (channel === null) return null;
      const { trouble, name } = await findStartPlace(client, identity, channel);
      if (nameOrId === null || nameOrId === channel || name === null || name === nameOrId)
        return trouble === null ? channel : null;
      channelIds.forget();
      return channelIds.find(nameOrId);
    },
    linkTo(execution, request) {
      const ts = cardTsOf(execution, request);
      return ts === null ? null : permalink(identity, execution.channel, ts, threadTsOf(execution));
    },
    publicUrl: config.publicUrl,
    version,
    stopping,
  });
}

/** Returns null if no rules require a sign-in: then the start needn't load the client of OpenID Connect. */
export async function stepUpPagesOf({ config: { publicUrl, signIn }, ...parts }: Parts): Promise<StepUpPages | null> {
  if (signIn === null) return null;
  const [{ createIdentityProvider }, { createStepUpPages }] = await Promise.all([
    import('../step-up/identity-provider.ts'),
    import('../step-up/routes.ts'),
  ]);
  const { signInLinks: links, ledger, log, clients, shownOutputs } = parts;
  return createStepUpPages({
    ...parts,
    outputs: shownOutputs,
    client: clients.interactive,
    publicUrl,
    provider: createIdentityProvider(signIn, { redirectUri: redirectUriAt(publicUrl), log }),
    links,
    recordRefusal: ledger.recordRefusal,
  });
}
