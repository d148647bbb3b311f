// The Slack app, its receiver and the Home tab, made from the parts of the bot.

import type { Receiver } from '@slack/bolt';
import type { Absences } from '../core/inbox/person-settings.ts';
import type { Millis } from '../core/values/time.ts';
import { linkIdOf } from '../redis/sign-in-links.ts';
import { createMaskedOutputs } from '../slack/api/masked-outputs.ts';
import { createReceiver, createSlackApp, type SlackApp, type SlackReceiver } from '../slack/app/app.ts';
import { createFindHome } from '../slack/features/home/home.ts';
import { HomePublisher } from '../slack/features/home/publisher.ts';
import { bareHome } from '../slack/features/home/view.ts';
import type { HomeTab } from '../slack/listening/context.ts';
import { signInUrlAt } from '../step-up/addresses.ts';
import { moveRuns } from './move-runs.ts';
import type { Parts } from './parts.ts';
import { retryRefusedIn } from './retry-refused.ts';

export function slackReceiverOf({ config, metrics, pendingRequests, log }: Parts, ackLimitMs?: Millis): SlackReceiver {
  return createReceiver(config.slack, {
    pendingRequests,
    observe: metrics.slackRequest,
    onFault: (error) => metrics.fault('slack', error),
    onSocketEnd: metrics.socketEnd,
    onRefused: metrics.slackRefused,
    mask: config.mask,
    ackLimitMs,
    log,
  });
}

export function slackAppOf(
  parts: Parts,
  receiver: Receiver,
  { home, absences }: { home: HomeTab; absences: Absences },
): SlackApp {
  const { config, store, outputs, findChange, activity, crews, crewClient, refs, clients, log } = parts;
  const { rulesOf, ledger, identity, tokenWatch, people, directory, namesOf, pendingRequests } = parts;
  const { userTokens, recentFeedback, overview, personSettings, inbox } = parts;
  const { groupChanges, channelNames, crewChannels } = parts;
  return createSlackApp({
    receiver,
    botToken: config.slack.botToken,
    command: config.slack.command,
    clientOptions: clients.interactiveOptions,
    services: {
      client: clients.interactive,
      unmaskedClient: clients.unmasked,
      store,
      // A click shows no text that is no longer stored.
      outputs: createMaskedOutputs(outputs, config.mask),
      fullOutputs: outputs,
      findChange,
      activity,
      crews,
      rulesOf,
      crewInputs: crewClient,
      tokenCheck: crewClient,
      userTokens,
      recentFeedback,
      overview,
      personSettings,
      inbox,
      absences,
      identity,
      sayings: parts.sayings,
      people,
      directory,
      groupChanges,
      namesOf,
      home,
      log,
      retryIn: (channel) => retryRefusedIn(parts, channel),
      checkToken: () => tokenWatch.check(),
      createRef: refs.createRef,
      ask: parts.ask,
      aside: (wait) => pendingRequests.aside(wait),
      moveChannel: (from, to) => moveRuns(parts, { from, to }),
      latestChannel: parts.channelMoves.latest,
      renameChannel(id, name) {
        channelNames.renamed(id, name);
        crewChannels.renamed(id, name);
      },
      channelOf: (crew) => crewChannels.of(crew, { client: clients.interactive, workspaces: parts.workspaces }),
      connectedTo: parts.connectedTo,
      async signInLink(intent) {
        const secret = await parts.signInLinks.create(intent);
        return { url: signInUrlAt(config.publicUrl, secret), id: linkIdOf(secret) };
      },
      recordRefusedStart: ledger.recordRefusedStart,
      recordRefusal: ledger.recordRefusal,
      runEntries: ledger.runEntries,
    },
  });
}

/** Pause between two updates of one person's Home tab. Slack's own limit is for the whole workspace. */
const GAP_MS = 1_000;

export function createHome(parts: Parts): HomePublisher {
  const { publishing, areCardsWaiting } = parts.rateLimiters;
  const { shownOutputs: outputs, people, personSettings, takeHomeTurn: takeTurn, sayings, pendingRequests } = parts;
  return new HomePublisher({
    ...parts,
    settingsOf: personSettings.find,
    areCardsWaiting,
    limiter: publishing,
    takeTurn,
    gapMs: GAP_MS,
    findHome: createFindHome({ ...parts, outputs }),
    noStoreView: async (personId, metadata) =>
      bareHome('no-store', sayings.in(await people.languageOf(personId)), metadata),
    yieldToOthers: () => pendingRequests.yieldToRequests('normal'),
  });
}
