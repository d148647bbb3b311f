import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { Person } from '../../core/approval/approval.ts';
import { strangerAnswer, tellRefusal } from '../features/approval/refusal.ts';
import { sayIn } from '../language/say.ts';
import { buttonChosenIn, keysIn } from '../ui/button-value.ts';
import { answerMessage } from '../ui/modal.ts';
import { privately, tell } from './answers.ts';
import { type Click, clickOf, shortcutClick } from './click.ts';
import type { ListenerContext, Services } from './context.ts';
import type { Listed } from './listeners.ts';

type AnyMiddleware = Middleware<AnyMiddlewareArgs, ListenerContext>;
type AnyArgs = Parameters<AnyMiddleware>[0];

/** Puts into the context what listeners work with, and who sent the request. */
export function provideContext(services: Services): AnyMiddleware {
  const { people, identity } = services;
  return async ({ body, client, context, next }) => {
    const { person, teamId } = senderOf(body, context.userId);
    const ofRequest: Omit<ListenerContext, keyof Services> = {
      client,
      person,
      isMember: async () => (teamId ?? (await people.teamOf(person.id))) === identity.teamId,
      say: async () => sayIn(await people.languageOf(person.id)),
      // https://docs.slack.dev/interactivity/handling-user-interaction
      requestId: 'trigger_id' in body ? String(body.trigger_id) : '',
      receivedAt: performance.now(),
      // Our receivers log what listeners add; Bolt's own have nothing there.
      addToLog: context.addToLog ?? (() => {}),
      isHandled: false,
    };
    Object.assign(context, services, ofRequest);
    await next();
  };
}

/** What is chosen in the menu of a card counts as a click on the button that it stands for. */
export const openMenu: AnyMiddleware = async (args) => {
  if ('action' in args && args.body.type === 'block_actions') {
    const [action] = args.body.actions;
    const button = action && buttonChosenIn(action, args.body.view);
    // Bolt hands this very object to all listeners.
    if (button) Object.assign(action, button);
  }
  await args.next();
};

/** Answers what no listener does, such as a button of an older version: otherwise Slack shows an error after three seconds. */
export const answerUnhandled: AnyMiddleware = async (args) => {
  await args.next();
  const { context } = args;
  if (context.isHandled || 'event' in args) return;
  if ('options' in args) return args.ack({ options: [] });
  if ('view' in args && args.body.type === 'view_closed') return args.ack();
  logUse(args, 'unknown');
  if ('command' in args) {
    const say = await context.say();
    return args.ack(privately(answerMessage(say('answer.unknown-command'))));
  }
  await args.ack();
  const click = clickIn(args);
  // A modal has closed, and a button that opens an address has opened it.
  if (!click || ('action' in args && 'url' in args.action)) return;
  const say = await context.say();
  const text = say('shortcut' in args ? 'shortcut.unknown' : 'answer.newer-message');
  await tell(context, click, { title: say('answer.out-of-date'), text });
};

/** Before each listener of what a person did: says in the log line of the request what they used. */
export function used(name: string): AnyMiddleware {
  return async (args) => {
    args.context.isHandled = true;
    logUse(args, name);
    await args.next();
  };
}

/** Keeps strangers from what is for members, whose listeners don't ask any policy. */
export function permit(who: Listed['who']): AnyMiddleware {
  return async (args) => {
    const { context } = args;
    if (who !== 'members' || (await context.isMember())) return args.next();
    if ('view' in args && args.body.type === 'view_submission') {
      context.addToLog({ refusal: 'denied', denial: 'stranger' });
      return args.ack(strangerAnswer(await context.say()));
    }
    const click = clickIn(args);
    if (!click) return;
    await args.ack?.();
    await tellRefusal(context, click, { kind: 'denied', denial: { kind: 'stranger' } });
  };
}

function logUse(args: AnyArgs, name: string): void {
  const { person, addToLog } = args.context;
  addToLog({ by: person.id, pressed: name, ...keysIn(valueIn(args)) });
}

/** Of a button, or the metadata of a submitted modal. */
function valueIn(args: AnyArgs): string {
  return 'view' in args ? args.view.private_metadata : (clickIn(args)?.value ?? '');
}

/** Null for what is neither a click nor a shortcut. */
function clickIn(args: AnyArgs): Click | null {
  if ('shortcut' in args) return shortcutClick(args.shortcut);
  return 'action' in args && args.body.type === 'block_actions' ? clickOf(args.body) : null;
}

/** As the payloads of all interactions have it. */
interface SlackUser {
  id: string;
  name?: string;
  username?: string;
  team_id?: string;
}

interface Sender {
  person: Person;
  /** Some payloads leave it out. */
  teamId: string | null;
}

function senderOf(body: AnyMiddlewareArgs['body'], userId = ''): Sender {
  if ('command' in body) {
    const { user_id: id, user_name: name, team_id: teamId } = body;
    return { person: { id, name: name ?? id }, teamId: teamId ?? null };
  }
  if ('event' in body) return { person: { id: userId, name: userId }, teamId: null };
  const user: SlackUser = body.user;
  return { person: { id: user.id, name: user.name ?? user.username ?? user.id }, teamId: user.team_id ?? null };
}
