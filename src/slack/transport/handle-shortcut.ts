import { tell } from '../interaction/answers.ts';
import type { AckClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { readShortcut } from '../interaction/shortcut.ts';
import { shortcuts } from './shortcuts.ts';

/** Answers a shortcut. @throws {UnreadableRequest} */
export async function handleShortcut(context: ListenerContext, payload: unknown, ack: AckClick): Promise<void> {
  const shortcut = readShortcut(payload);
  const { actionId, actor } = shortcut;
  // Ids come from outside and may be `constructor`, or belong to another version.
  const entry = Object.hasOwn(shortcuts, actionId) ? shortcuts[actionId] : undefined;
  context.addToLog({ by: actor.person.id, pressed: entry ? actionId : 'unknown' });
  if (entry) return entry.handle(context, shortcut, ack);
  await ack();
  const say = await context.say();
  await tell(context, shortcut, { title: say('answer.out-of-date'), text: say('shortcut.unknown') });
}
