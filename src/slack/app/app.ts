import { App, type Middleware, type Receiver, type SlackEventMiddlewareArgs } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Logger } from 'pino';
import { slackLogger } from '../api/clients.ts';
import { onKickoffCommand } from '../features/kickoff/command.ts';
import { HttpReceiver } from '../receivers/http-receiver.ts';
import type { ObserveRequest } from '../receivers/request.ts';
import type { EndReason } from '../receivers/socket-connection.ts';
import { SocketReceiver, type SocketTrouble } from '../receivers/socket-receiver.ts';
import type { HomeListener, ListenerContext, Services } from './context.ts';
import { actions, shortcuts, views } from './listeners.ts';
import { answerUnhandled, openMenu, permit, provideContext, used } from './middleware.ts';

/** How Slack's requests reach the app, and whether they can. */
export interface SlackReceiver extends Receiver {
  isConnected(): boolean;
  /** Why Slack dismisses the Socket Mode connections, while there is none. */
  trouble(): SocketTrouble | null;
}

interface ReceiverOptions {
  observe: ObserveRequest;
  onFault: () => void;
  onSocketEnd: (reason: EndReason) => void;
  log: Logger;
}

/** In HTTP mode, the bot's one HTTP server passes Slack's requests to it. */
export function createReceiver(
  { mode, apiUrl }: { mode: SlackMode; apiUrl: string },
  { onSocketEnd: onEnd, ...observers }: ReceiverOptions,
): SlackReceiver {
  const logger = slackLogger(observers.log);
  switch (mode.kind) {
    case 'http':
      return new HttpReceiver({ signingSecret: mode.signingSecret, ...observers });
    case 'socket':
      return new SocketReceiver({ appToken: mode.appToken, apiUrl, logger, onEnd, ...observers });
  }
}

export type SlackApp = App<ListenerContext>;

type SlackMode = { kind: 'http'; signingSecret: string } | { kind: 'socket'; appToken: string };

interface SlackAppOptions {
  receiver: Receiver;
  botToken: string;
  /** Of the client that listeners get. */
  clientOptions: WebClientOptions;
  services: Services;
}

/** Signoff as Slack sees it: which listener answers what. */
export function createSlackApp({ receiver, botToken, clientOptions, services }: SlackAppOptions): SlackApp {
  const { teamId, botId, botUserId } = services.identity;
  const app = new App<ListenerContext>({
    receiver,
    // Bolt adds the sender to it, so that each request needs its own.
    authorize: async () => ({ botToken, botUserId, teamId, ...(botId !== null && { botId }) }),
    clientOptions,
    logger: slackLogger(services.log),
    convoStore: false,
    ignoreSelf: false,
    extendedErrorHandler: true,
  });

  app.use(answerUnhandled);
  app.use(provideContext(services));
  app.use(openMenu);

  app.command('/kickoff', used('kickoff'), onKickoffCommand);
  for (const [actionId, { who, listener }] of Object.entries(actions))
    app.action({ type: 'block_actions', action_id: actionId }, used(actionId), permit(who), listener);
  for (const [callbackId, { who, listener }] of Object.entries(views))
    app.view({ type: 'view_submission', callback_id: callbackId }, used(callbackId), permit(who), listener);
  for (const [callbackId, { listener }] of Object.entries(shortcuts))
    app.shortcut(callbackId, used(callbackId), listener);
  app.event('app_home_opened', onHomeOpened);
  app.event('channel_unarchive', onUnarchived);
  app.event('group_unarchive', onUnarchived);
  app.event('member_joined_channel', onJoined);
  app.event('tokens_revoked', onRevoked);
  app.event('app_uninstalled', onRevoked);

  // The receiver answers for our faults: it doesn't acknowledge, and logs them once.
  app.error(async (fault: { error: Error }) => {
    throw fault.error;
  });
  return app;
}

// What Slack tells of where we may post, and whether at all.

type EventListener<Type extends string> = Middleware<SlackEventMiddlewareArgs<Type>, ListenerContext>;

/** https://docs.slack.dev/reference/events/channel_unarchive, https://docs.slack.dev/reference/events/group_unarchive */
const onUnarchived: EventListener<'channel_unarchive' | 'group_unarchive'> = async ({ context, event }) => {
  await context.retryIn(event.channel);
};

/** https://docs.slack.dev/reference/events/member_joined_channel */
const onJoined: EventListener<'member_joined_channel'> = async ({ context, event }) => {
  if (event.user === context.identity.botUserId) await context.retryIn(event.channel);
};

/** https://docs.slack.dev/reference/events/tokens_revoked, https://docs.slack.dev/reference/events/app_uninstalled */
const onRevoked: EventListener<'tokens_revoked' | 'app_uninstalled'> = async ({ context }) => {
  context.checkToken();
};

/** https://docs.slack.dev/reference/events/app_home_opened */
const onHomeOpened: HomeListener = async ({ context, event }) => {
  const { home, person } = context;
  // Nothing is stored, so Slack doesn't have to wait for the acknowledgement until it is shown.
  if (event.tab === 'home' && person.id !== '') void home.show(person.id, event.view?.private_metadata ?? '');
};
