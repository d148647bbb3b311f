import type {
  BlockAction,
  Middleware,
  SlackActionMiddlewareArgs,
  SlackCommandMiddlewareArgs,
  SlackEventMiddlewareArgs,
  SlackShortcut,
  SlackShortcutMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewResponseAction,
  ViewSubmitAction,
} from '@slack/bolt';
import type { ListenerContext } from './listener-context.ts';

/**
 * Bolt's listeners, with our services and the person in their `context`. What a person asked for is stored, or is known to
 * change nothing, before `ack`: if a listener throws before, Slack shows the person an error.
 */
export type ActionListener = Middleware<SlackActionMiddlewareArgs<BlockAction>, ListenerContext>;
export type ViewListener = Middleware<SlackViewMiddlewareArgs<ViewSubmitAction>, ListenerContext>;
export type ShortcutListener = Middleware<SlackShortcutMiddlewareArgs<SlackShortcut>, ListenerContext>;
export type CommandListener = Middleware<SlackCommandMiddlewareArgs, ListenerContext>;
/** Events are acknowledged once their listener has resolved; Slack delivers them again where it rejects. */
export type HomeListener = Middleware<SlackEventMiddlewareArgs<'app_home_opened'>, ListenerContext>;

/** Acknowledges a click or a shortcut. */
export type Ack = () => Promise<void>;

/** Acknowledges a submitted modal, with what happens to it; without an answer it closes. */
export type ViewAck = Parameters<ViewListener>[0]['ack'];
export type ViewAnswer = ViewResponseAction | undefined;

/** What a command's parts need of Bolt's arguments. */
export type CommandArgs = Pick<Parameters<CommandListener>[0], 'ack' | 'command' | 'context' | 'respond'>;
