import { tellRefusal } from '../approval/refused-click.ts';
import { isMember } from '../interaction/actor.ts';
import { tell } from '../interaction/answers.ts';
import type { Click } from '../interaction/click.ts';
import { readClick } from '../interaction/click.ts';
import type { AckClick, ClickEntry } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { keysIn } from '../ui/button-value.ts';
import { clickedInMenu } from '../ui/menu.ts';
import { clicks } from './clicks.ts';

/** Answers a click on a button or select. @throws {UnreadableRequest} */
export async function handleClick(context: ListenerContext, payload: unknown, ack: AckClick): Promise<void> {
  const click = clickedInMenu(readClick(payload));
  // Ids come from outside and may be `constructor`, or belong to an older version.
  const entry = Object.hasOwn(clicks, click.actionId) ? clicks[click.actionId] : undefined;
  context.addToLog({ by: click.actor.person.id, pressed: entry ? click.actionId : 'unknown', ...keysIn(click.value) });
  if (entry) return passOn(context, click, { entry, ack });
  await ack();
  if (click.isLink) return;
  const say = await context.say();
  await tell(context, click, { title: say('answer.out-of-date'), text: say('answer.newer-message') });
}

async function passOn(
  context: ListenerContext,
  click: Click,
  { entry, ack }: { entry: ClickEntry; ack: AckClick },
): Promise<void> {
  if (entry.who !== 'members' || (await isMember(context, click.actor))) return entry.handle(context, click, ack);
  await ack();
  await tellRefusal(context, click, { kind: 'denied', denial: { kind: 'stranger' } });
}
