import type { Person } from '../../../core/approval/approval.ts';
import type { ListenerContext } from '../../interaction/listener-context.ts';
import type { Rendered } from '../../ui/blocks.ts';
import { whoInChannel } from './who-in-channel.ts';
import { whoOfCrew } from './who-of-crew.ts';

/** Who can start a crew and decide its requests, or, where none is named, who can decide what waits in the channel. */
export async function whoCan(
  context: ListenerContext,
  { crew: name, ...asked }: { crew: string | null; channel: string; by: Person },
): Promise<Rendered> {
  const crew = name === null ? undefined : context.crews.get(name);
  return crew ? whoOfCrew(context, { crew, ...asked }) : whoInChannel(context, asked);
}
