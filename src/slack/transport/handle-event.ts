import { readEvent } from '../interaction/event.ts';
import type { AckClick } from '../interaction/handlers.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { events } from './events.ts';

/** Answers an event. @throws {UnreadableRequest} */
export async function handleEvent(context: ListenerContext, payload: unknown, ack: AckClick): Promise<void> {
  const event = readEvent(payload);
  // Types come from outside and may be `constructor`.
  const handle = Object.hasOwn(events, event.type) ? events[event.type] : undefined;
  return handle ? handle(context, event, ack) : ack();
}
