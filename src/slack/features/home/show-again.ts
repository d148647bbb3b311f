// Shows a person their Home after a click in it.

import type { Click } from '../../listening/click.ts';
import type { ListenerContext } from '../../listening/context.ts';
import { parseApprovalValue } from '../../ui/button-value.ts';
import { readSelection } from './selection.ts';
import { type HomeState, readState, writeState } from './state.ts';

/** Adds the ticks in the clicked Home to a state. */
export function withTicksOf({ home }: Pick<Click, 'home'>, state: HomeState): HomeState {
  return { ...state, ...readSelection(home?.state.values ?? {}, state) };
}

/** Refreshes the Home that a person clicked in, with what they look at from now on. Never throws. */
export async function refreshHome(
  { home, person }: Pick<ListenerContext, 'home' | 'person'>,
  click: Pick<Click, 'home'>,
  change: (state: HomeState) => HomeState = (same) => same,
): Promise<void> {
  const metadata = click.home?.private_metadata ?? '';
  await home.show(person.id, metadata, (current) => writeState(change(withTicksOf(click, readState(current)))));
}

type Ports = Pick<ListenerContext, 'home' | 'person' | 'overview' | 'log'>;

/** Refreshes the Home after a change of its lists is stored. Never throws. */
export async function refreshHomeAfterChange(
  { overview, log, ...ports }: Ports,
  click: Pick<Click, 'home'>,
  change?: (state: HomeState) => HomeState,
): Promise<void> {
  await overview.latest('now').catch((err) => log.debug({ err }, 'a Home may show a change a moment later'));
  await refreshHome(ports, click, change);
}

/** Shows the outcome of a click on *Approve*, *Undo* or *Withdraw my vote* in a Home. Never throws. */
export async function refreshHomeAfterDecision(ports: Ports, click: Click): Promise<void> {
  const key = parseApprovalValue(click.value);
  const last = key && { ref: key.ref, approvalId: key.approvalId, at: Date.now() };
  await refreshHomeAfterChange(ports, click, (state) => ({ ...state, last }));
}
