import type { HomeView, Message, OpenView, Snapshot } from '../people-api.ts';
import type { Seat } from './client.ts';
import { screenText } from './describe-snapshot.ts';
import { eventually } from './eventually.ts';
import { allIn, current, mainIn, saying, says, threadOf, type Wanted } from './find-in-snapshot.ts';
import { homeText, modalText } from './visible-text.ts';

/** How long to wait for something. Default: `PATIENCE_MS`. */
export type Patience = { withinMs?: number };

/** What a driven person can look at. Waiting has a deadline, and what fails shows the screen. */
export type Eyes = {
  snapshot(): Promise<Snapshot>;
  /** The screen as text. */
  screen(): Promise<string>;
  /** Looks until `look` finds something; `what` names it in the failure. */
  waitFor<T>(what: string, look: (seen: Snapshot) => T | undefined, patience?: Patience): Promise<T>;

  /** What is in a channel now, threads left out. */
  channel(name: string): Promise<Message[]>;
  thread(root: Message): Promise<Message[]>;
  /** All that only this person sees in a channel and its threads. */
  privately(channel: string): Promise<Message[]>;
  /** A message as it is now; undefined where it is gone. */
  now(message: Message): Promise<Message | undefined>;
  modal(): Promise<OpenView | undefined>;
  home(): Promise<HomeView | undefined>;

  /** Waits for a message with this in a channel. The newest wins. */
  sees(channel: string, wanted: Wanted, patience?: Patience): Promise<Message>;
  seesInThread(root: Message, wanted: Wanted, patience?: Patience): Promise<Message>;
  /** Waits for a message that only this person sees. */
  seesPrivately(channel: string, wanted: Wanted, patience?: Patience): Promise<Message>;
  /** Waits until a message says this. */
  seesChanged(message: Message, wanted: Wanted, patience?: Patience): Promise<Message>;
  seesModal(wanted: Wanted, patience?: Patience): Promise<OpenView>;
  seesNoModal(patience?: Patience): Promise<void>;
  seesHome(wanted: Wanted, patience?: Patience): Promise<HomeView>;
};

export function createEyes(seat: Seat, id: string): Eyes {
  const snapshot = () => seat.snapshot(id);
  const screen = async () => screenText(await snapshot());
  const waitFor: Eyes['waitFor'] = (what, look, patience = {}) =>
    eventually(
      async () => look(await snapshot()),
      async () => `waited in vain for ${what}\n${await screen()}`,
      patience.withinMs,
    );
  const privately = (seen: Snapshot, channel: string) => allIn(seen, channel).filter((message) => message.ephemeral);
  return {
    snapshot,
    screen,
    waitFor,
    channel: async (name) => mainIn(await snapshot(), name),
    thread: async (root) => threadOf(await snapshot(), root),
    privately: async (channel) => privately(await snapshot(), channel),
    now: async (message) => current(await snapshot(), message),
    modal: async () => (await snapshot()).modals.at(-1),
    home: async () => (await snapshot()).home,
    sees: (channel, wanted, patience) =>
      waitFor(`${wanted} in ${channel}`, (seen) => mainIn(seen, channel).findLast(saying(wanted)), patience),
    seesInThread: (root, wanted, patience) =>
      waitFor(`${wanted} in the thread`, (seen) => threadOf(seen, root).findLast(saying(wanted)), patience),
    seesPrivately: (channel, wanted, patience) =>
      waitFor(
        `${wanted} in ${channel}, only visible to them`,
        (seen) => privately(seen, channel).findLast(saying(wanted)),
        patience,
      ),
    seesChanged: (message, wanted, patience) =>
      waitFor(
        `a message to say ${wanted}`,
        (seen) => [current(seen, message)].flatMap((found) => found ?? []).find(saying(wanted)),
        patience,
      ),
    seesModal: (wanted, patience) =>
      waitFor(
        `a modal with ${wanted}`,
        (seen) => seen.modals.slice(-1).find((view) => says(modalText(view), wanted)),
        patience,
      ),
    async seesNoModal(patience) {
      await waitFor('all modals to be closed', (seen) => seen.modals.length === 0 || undefined, patience);
    },
    seesHome: (wanted, patience) =>
      waitFor(
        `a home tab with ${wanted}`,
        (seen) => (seen.home && says(homeText(seen.home), wanted) ? seen.home : undefined),
        patience,
      ),
  };
}
