import { createChannelNames } from '../slack/api/channel-names.ts';
import type { RateLimiters } from '../slack/api/rate-limits.ts';
import { bareHome } from '../slack/home/bare-home.ts';
import { createFindHome } from '../slack/home/find-home.ts';
import { HomePublisher } from '../slack/home/home-publisher.ts';
import { sayIn } from '../slack/language/say.ts';
import type { Parts } from './parts.ts';

/** Of people, not of places: Slack's own limit is one of the workspace. */
const GAP_MS = 1_000;

export function createHome(parts: Parts, { publishing, areCardsWaiting }: RateLimiters): HomePublisher {
  const { store, recentOutputs: outputs, clients, identity, people, namesOf, directory, rulesOf, log } = parts;
  const { inbox, overview, personSettings, takeHomeTurn: takeTurn, pendingRequests } = parts;
  const channelNames = createChannelNames(clients.interactive);
  return new HomePublisher({
    ...{ overview, areCardsWaiting, limiter: publishing, clients, takeTurn, gapMs: GAP_MS, log },
    findHome: createFindHome({
      ...{ inbox, store, outputs, rulesOf, directory, people, namesOf, identity, channelNames, personSettings },
    }),
    noStoreView: async (personId, metadata) => bareHome('no-store', sayIn(await people.languageOf(personId)), metadata),
    yieldToOthers: () => pendingRequests.yieldToRequests('normal'),
  });
}
