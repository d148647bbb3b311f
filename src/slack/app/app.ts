// The Bolt app: its receiver, its middleware, and its listener for each kind of request.
import {
  type AnyMiddlewareArgs,
  App,
  type Middleware,
  type Receiver,
  type SlackEventMiddlewareArgs,
} from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Person } from '../../core/state/request.ts';
import type { Millis } from '../../core/values/time.ts';
import { slackLogger } from '../api/clients.ts';
import { refreshHome } from '../features/home/show-again.ts';
import { onKickoffCommand } from '../features/kickoff/command.ts';
import { steps } from '../features/workflow/listeners.ts';
import { answerClick, ephemeral } from '../listening/answers.ts';
import { type Click, clickOf, shortcutClick } from '../listening/click.ts';
import type { EventListener, ListenerContext, Services } from '../listening/context.ts';
import { HttpReceiver, type HttpReceiverOptions } from '../receivers/http-receiver.ts';
import type { Watchers } from '../receivers/request.ts';
import type { EndReason } from '../receivers/socket-connection.ts';
import { SocketReceiver, type SocketTrouble } from '../receivers/socket-receiver.ts';
import { showRefusal, strangerAnswer } from '../request/refusal.ts';
import { OPEN_LINK } from '../ui/blocks.ts';
import { buttonChosenIn, keysIn } from '../ui/button-value.ts';
import { answerMessage } from '../ui/modal.ts';
import { events } from './events.ts';
import { actions, type Listed, shortcuts, views } from './listeners.ts';

export interface SlackReceiver extends Receiver {
  isConnected(): boolean;
  /** The reason why Slack dismisses the Socket Mode connections. Null while there is a connection. */
  trouble(): SocketTrouble | null;
}

interface ReceiverOptions extends Required<Watchers> {
  onSocketEnd: (reason: EndReason) => void;
  onRefused: NonNullable<HttpReceiverOptions['onRefused']>;
  /** Time limit for an answer in HTTP mode. Default: as long as Slack waits. */
  ackLimitMs?: Millis | undefined;
}

/** Creates the receiver. In HTTP mode, the bot's one HTTP server passes Slack's requests to it. */
export function createReceiver(
  { mode, apiUrl }: { mode: SlackMode; apiUrl: string },
  { onSocketEnd: onEnd, onRefused, ackLimitMs, ...observers }: ReceiverOptions,
): SlackReceiver {
  if (mode.kind === 'socket') {
    const logger = slackLogger(observers.log);
    return new SocketReceiver({ appToken: mode.appToken, apiUrl, logger, onEnd, ...observers });
  }
  const limit = ackLimitMs === undefined ? {} : { ackLimitMs };
  return new HttpReceiver({ signingSecret: mode.signingSecret, onRefused, ...limit, ...observers });
}

export type SlackApp = App<ListenerContext>;

type BoltStepListener = Middleware<SlackEventMiddlewareArgs<'function_executed'>>;

type SlackMode = { kind: 'http'; signingSecret: string } | { kind: 'socket'; appToken: string };

interface SlackAppOptions {
  receiver: Receiver;
  botToken: string;
  /** The slash command that starts a crew, such as `/kickoff`. */
  command: string;
  /** Options of Bolt's own client. */
  clientOptions: WebClientOptions;
  services: Services;
}

export function createSlackApp({ receiver, botToken, command, clientOptions, services }: SlackAppOptions): SlackApp {
  const { installation, botId, botUserId } = services.identity;
  const place =
    installation.kind === 'workspace' ? { teamId: installation.teamId } : { enterpriseId: installation.enterpriseId };
  const app = new App<ListenerContext>({
    receiver,
    // Bolt adds the sender to this object, so each request needs its own.
    authorize: async () => ({ botToken, botUserId, ...place, ...(botId !== null && { botId }) }),
    clientOptions,
    logger: slackLogger(services.log),
    convoStore: false,
    ignoreSelf: false,
    extendedErrorHandler: true,
  });

  app.use(answerUnhandled);
  app.use(provideContext(services));
  app.use(openMenu);

  // There is one listener for each kind of request, since Bolt would try one for every button at each click.
  app.command(
    command,
    listener({ kickoff: { who: 'starters', listener: onKickoffCommand } }, () => 'kickoff'),
  );
  app.action(
    { type: 'block_actions' },
    listener(actions, ({ action }) => action.action_id),
  );
  app.view(
    { type: 'view_submission' },
    listener(views, ({ view }) => view.callback_id),
  );
  app.shortcut(
    {},
    listener(shortcuts, ({ shortcut }) => shortcut.callback_id),
  );
  app.event(/^/, onEvent);
  // Bolt's types of steps don't know the context of this app.
  for (const [callbackId, onStep] of Object.entries(steps)) app.function(callbackId, onStep as BoltStepListener);

  // The receiver handles our faults: it doesn't acknowledge the request, and logs the fault once.
  app.error(async (fault: { error: Error }) => {
    throw fault.error;
  });
  return app;
}

const onEvent: EventListener<string> = async (args) => {
  const { type } = args.event;
  if (Object.hasOwn(events, type)) await events[type]?.(args as never);
};

type AnyMiddleware = Middleware<AnyMiddlewareArgs, ListenerContext>;
type AnyArgs = Parameters<AnyMiddleware>[0];

function provideContext(services: Services): AnyMiddleware {
  const { people, identity, sayings } = services;
  return async ({ body, context, next }) => {
    const { person, homeTeamId } = senderOf(body, context.userId);
    const { installation } = identity;
    const ofRequest: Omit<ListenerContext, keyof Services> = {
      person,
      // Another home workspace than ours proves nothing: people of an organisation are in several.
      isMember: async () =>
        (installation.kind === 'workspace' && homeTeamId === installation.teamId) || people.isInside(person.id),
      say: async () => sayings.in(await people.languageOf(person.id)),
      // https://docs.slack.dev/interactivity/handling-user-interaction
      requestId: 'trigger_id' in body ? String(body.trigger_id) : '',
      receivedAt: performance.now(),
      // Our receivers log what listeners add. Bolt's own receivers have nothing there.
      addToLog: context.addToLog ?? (() => {}),
      isHandled: false,
    };
    Object.assign(context, services, ofRequest);
    await next();
  };
}

/** Turns the choice in a card's menu into a click on the button that it stands for. */
const openMenu: AnyMiddleware = async (args) => {
  if ('action' in args && args.body.type === 'block_actions') {
    const [action] = args.body.actions;
    const button = action && buttonChosenIn(action, args.body.view);
    // Bolt hands this very object to all listeners.
    if (button) Object.assign(action, button);
  }
  await args.next();
};

/** Answers what no listener does, such as a button of an older version. Otherwise Slack shows an error after three seconds. */
const answerUnhandled: AnyMiddleware = async (args) => {
  await args.next();
  const { context } = args;
  if (context.isHandled || 'event' in args) return;
  if ('options' in args) return args.ack({ options: [] });
  if ('view' in args && args.body.type === 'view_closed') return args.ack();
  logUse(args, 'unknown');
  const say = await context.say();
  if ('command' in args) {
    context.log.warn({ command: args.command.command }, 'the app has a slash command that COMMAND doesn’t name');
    return args.ack(ephemeral(answerMessage(say('answer.unknown-command'))));
  }
  await args.ack();
  const click = clickIn(args);
  // A submitted modal has closed, and a link has opened its address.
  const isLink = 'action' in args && 'action_id' in args.action && args.action.action_id === OPEN_LINK;
  if (!click || isLink) return;
  const answer = 'shortcut' in args ? 'shortcut.unknown' : click.home ? 'answer.newer-home' : 'answer.newer-message';
  await answerClick(context, click, { title: say('answer.out-of-date'), text: say(answer) });
  if (click.home) await refreshHome(context, click);
};

/** Returns Bolt's listener for everything of one kind. `answerUnhandled` answers what isn't in the table. */
function listener<Args extends AnyMiddlewareArgs>(
  table: Readonly<Record<string, Listed<Middleware<Args, ListenerContext>>>>,
  idOf: (args: Args) => string,
): Middleware<Args, ListenerContext> {
  return async (args) => {
    const id = idOf(args);
    const listed = Object.hasOwn(table, id) ? table[id] : undefined;
    if (!listed) return;
    args.context.isHandled = true;
    logUse(args, id);
    if (listed.who !== 'members' || (await letsIn(args))) await listed.listener(args);
  };
}

/** Refuses strangers before the listeners for members, which ask no policy. Resolves to false if it did. */
async function letsIn(args: AnyArgs): Promise<boolean> {
  const { context } = args;
  const isMember = await context.isMember();
  if (isMember) return true;
  if ('view' in args && args.body.type === 'view_submission') {
    context.addToLog({ refusal: 'denied', denial: 'stranger' });
    await args.ack(strangerAnswer(await context.say()));
    return false;
  }
  const click = clickIn(args);
  if (!click) return false;
  await args.ack?.();
  const unsure = { kind: 'unsure', personId: context.person.id, approver: null } as const;
  const denial = isMember === null ? unsure : ({ kind: 'stranger' } as const);
  await showRefusal(context, click, { refusal: { kind: 'denied', denial }, action: 'do' });
  return false;
}

function logUse(args: AnyArgs, name: string): void {
  const { person, addToLog } = args.context;
  const value = 'view' in args ? args.view.private_metadata : (clickIn(args)?.value ?? '');
  addToLog({ by: person.id, pressed: name, ...keysIn(value) });
}

/** Returns null unless it is a click or a shortcut. */
function clickIn(args: AnyArgs): Click | null {
  if ('shortcut' in args) return shortcutClick(args.shortcut);
  return 'action' in args && args.body.type === 'block_actions' ? clickOf(args.body) : null;
}

/**
 * Returns the person, and their one home workspace, wherever they act. Null if the payload doesn't have it.
 * https://github.com/slackapi/bolt-js/issues/1875
 */
function senderOf(body: AnyMiddlewareArgs['body'], userId = ''): { person: Person; homeTeamId: string | null } {
  if ('event' in body) return { person: { id: userId, name: userId }, homeTeamId: null };
  if ('command' in body) {
    const { user_id: id, user_name: name, team_id: teamId } = body;
    return { person: { id, name: name ?? id }, homeTeamId: teamId ?? null };
  }
  const user: { id: string; name?: string; username?: string; team_id?: string } = body.user;
  return { person: { id: user.id, name: user.name ?? user.username ?? user.id }, homeTeamId: user.team_id ?? null };
}
