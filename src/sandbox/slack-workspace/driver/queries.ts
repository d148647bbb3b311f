import { setTimeout as pause } from 'node:timers/promises';
import type { HomeView, Message, OpenView, Snapshot, ThreadStatus, WorkflowRun } from '../people-api.ts';
import type { WorkspaceClient } from './client.ts';
import {
  allIn,
  current,
  mainIn,
  saying,
  says,
  threadOf,
  type Wanted,
  type Where,
  wordsIn,
} from './find-in-snapshot.ts';
import { homeText, modalText, textInContainer, visibleText } from './visible-text.ts';

/** Default: what the workspace was started with, else `SLACK_WORKSPACE_WAIT_MS`, else four seconds. */
export type WaitOptions = { withinMs?: number | undefined };

type ViewPlace = Where & { in?: 'modal' | 'home' };

/** The views of a driven person. Every wait has a deadline, and its error shows the screen. */
export type DriverQueries = {
  snapshot(): Promise<Snapshot>;
  /** The screen as text. */
  screen(): Promise<string>;
  /** Polls until `look` finds something. `what` names it in the error. */
  waitFor<T>(what: string, look: (snapshot: Snapshot) => T | undefined, wait?: WaitOptions): Promise<T>;

  /** The current messages of a channel, without thread replies. */
  channel(name: string): Promise<Message[]>;
  thread(root: Message): Promise<Message[]>;
  /** The messages in a channel and its threads that only this person sees. */
  privately(channel: string): Promise<Message[]>;
  /** The current version of a message; undefined if it is gone. */
  now(message: Message): Promise<Message | undefined>;
  /** Resolves to the app's status in a thread, such as “is thinking…”. */
  status(root: Message): Promise<string | undefined>;
  modal(): Promise<OpenView | undefined>;
  home(): Promise<HomeView | undefined>;
  /** Resolves to the value of the input with this label: text, or the names of the choices. */
  chosen(label: string, where?: ViewPlace): Promise<string[]>;

  /** Waits for a matching message in a channel, and returns the newest. */
  sees(channel: string, text: Wanted, wait?: WaitOptions): Promise<Message>;
  seesInThread(root: Message, text: Wanted, wait?: WaitOptions): Promise<Message>;
  /** Waits for a matching message that only this person sees. */
  seesPrivately(channel: string, text: Wanted, wait?: WaitOptions): Promise<Message>;
  /** Waits until the message matches. */
  seesChanged(message: Message, text: Wanted, wait?: WaitOptions): Promise<Message>;
  /** Waits for a container with this title in the message, and returns what it holds. */
  opens(message: Message, title: Wanted, wait?: WaitOptions): Promise<string>;
  /** Waits until the app says that it is doing this in the thread. */
  seesStatus(root: Message, text: Wanted, wait?: WaitOptions): Promise<ThreadStatus>;
  seesModal(text: Wanted, wait?: WaitOptions): Promise<OpenView>;
  seesNoModal(wait?: WaitOptions): Promise<void>;
  seesHome(text: Wanted, wait?: WaitOptions): Promise<HomeView>;
  /** Waits until a workflow that they have started has come to this, as in `running`, or to this step, counted from one. */
  seesWorkflow(run: WorkflowRun, progress: WorkflowRun['status'] | number, wait?: WaitOptions): Promise<WorkflowRun>;
  /** Waits until the app has a connection of Socket Mode, or listens at its request URL. */
  reachable(wait?: WaitOptions): Promise<void>;
};

export function createQueries(client: WorkspaceClient, id: string, { withinMs }: WaitOptions): DriverQueries {
  const snapshot = () => client.snapshot(id);
  const screen = async () => describeSnapshot(await snapshot());
  const waitFor: DriverQueries['waitFor'] = (what, look, wait = {}) =>
    eventually(
      async () => look(await snapshot()),
      async () => `timed out waiting for ${what}\n${await screen()}`,
      wait.withinMs ?? withinMs,
    );
  const privately = (snapshot: Snapshot, channel: string) =>
    allIn(snapshot, channel).filter((message) => message.ephemeral);
  return {
    snapshot,
    screen,
    waitFor,
    channel: async (name) => mainIn(await snapshot(), name),
    thread: async (root) => threadOf(await snapshot(), root),
    privately: async (channel) => privately(await snapshot(), channel),
    now: async (message) => current(await snapshot(), message),
    status: async (root) => statusOf(await snapshot(), root)?.text,
    modal: async () => (await snapshot()).modals.at(-1),
    home: async () => (await snapshot()).home,
    chosen: async (label, where = {}) => wordsIn(await snapshot(), label, where),
    sees: (channel, wanted, wait) =>
      waitFor(`${wanted} in ${channel}`, (seen) => mainIn(seen, channel).findLast(saying(wanted)), wait),
    seesInThread: (root, wanted, wait) =>
      waitFor(`${wanted} in the thread`, (seen) => threadOf(seen, root).findLast(saying(wanted)), wait),
    seesPrivately: (channel, wanted, wait) =>
      waitFor(
        `${wanted} in ${channel}, only visible to them`,
        (seen) => privately(seen, channel).findLast(saying(wanted)),
        wait,
      ),
    seesChanged: (message, wanted, wait) =>
      waitFor(
        `a message to say ${wanted}`,
        (seen) => [current(seen, message)].flatMap((found) => found ?? []).find(saying(wanted)),
        wait,
      ),
    opens: (message, title, wait) =>
      waitFor(
        `a container titled ${title}`,
        (seen) => textInContainer(current(seen, message)?.blocks ?? [], (text) => says(text, title)),
        wait,
      ),
    seesStatus: (root, wanted, wait) =>
      waitFor(
        `the status ${wanted}`,
        (seen) => [statusOf(seen, root)].flatMap((found) => found ?? []).find(({ text }) => says(text, wanted)),
        wait,
      ),
    seesModal: (wanted, wait) =>
      waitFor(
        `a modal with ${wanted}`,
        (seen) => seen.modals.slice(-1).find((view) => says(modalText(view), wanted)),
        wait,
      ),
    async seesNoModal(wait) {
      await waitFor('all modals to be closed', (seen) => seen.modals.length === 0 || undefined, wait);
    },
    seesHome: (wanted, wait) =>
      waitFor(
        `a home tab with ${wanted}`,
        (seen) => (seen.home && says(homeText(seen.home), wanted) ? seen.home : undefined),
        wait,
      ),
    seesWorkflow: ({ id, name }, wanted, wait) =>
      waitFor(
        `${name} to be ${typeof wanted === 'number' ? `at step ${wanted}` : wanted}`,
        ({ workflowRuns }) =>
          workflowRuns.find(
            (run) =>
              run.id === id &&
              (typeof wanted === 'number' ? run.steps[wanted - 1]?.status === 'running' : run.status === wanted),
          ),
        wait,
      ),
    async reachable(wait = {}) {
      await eventually(
        async () => (await client.isReachable()) || undefined,
        async () => `timed out waiting for the app, which can’t be reached\n${await screen()}`,
        wait.withinMs ?? withinMs,
      );
    },
  };
}

function statusOf({ statuses }: Snapshot, { channel, ts, threadTs = ts }: Message): ThreadStatus | undefined {
  return statuses.find((status) => status.channel === channel && status.threadTs === threadTs);
}

/** Looking costs a snapshot, so it becomes rarer the longer a wait lasts. */
const POLL_INTERVAL_MS = { least: 30, most: 250 };
const SHARE_OF_WAIT = 0.1;

/** Jest and vitest end a test after five seconds, and say nothing of what the person saw. */
const DEFAULT_WAIT_MS = 4_000;

/** Returns the default time of a wait. A slow machine can set a longer one in its environment. */
export function defaultWaitMs(): number {
  // biome-ignore lint/style/noProcessEnv: tests have no entry point that could pass it on
  return Number(process.env.SLACK_WORKSPACE_WAIT_MS) || DEFAULT_WAIT_MS;
}

/** Polls `look` until it finds something. Rejects after `withinMs` with the text from `explain`. */
export async function eventually<T>(
  look: () => Promise<T | undefined>,
  explain: () => Promise<string>,
  withinMs = defaultWaitMs(),
): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs >= withinMs) throw new Error(await explain());
    const { least, most } = POLL_INTERVAL_MS;
    await pause(Math.min(most, Math.max(least, SHARE_OF_WAIT * waitedMs)));
  }
}

const LATEST = 6;

/** Returns a member's screen as text for test failures. */
function describeSnapshot(snapshot: Snapshot): string {
  const channels = snapshot.channels
    .map((channel) => ({ channel, messages: snapshot.messages[channel.id] ?? [] }))
    .filter(({ messages }) => messages.length > 0)
    .map(
      ({ channel, messages }) =>
        `#${channel.name}\n${messages
          .slice(-LATEST)
          .map((m) => line(snapshot, m))
          .join('\n')}`,
    );
  const statuses = snapshot.statuses.map(({ text }) => `${snapshot.app.name} ${text}`);
  const modals = snapshot.modals.map((view) => `modal:\n${indented(modalText(view))}`);
  const home = snapshot.home ? [`home tab:\n${indented(homeText(snapshot.home))}`] : [];
  const runs = snapshot.workflowRuns.map(describeRun);
  return [`${snapshot.me.realName} sees:`, ...channels, ...statuses, ...runs, ...modals, ...home].join('\n');
}

function describeRun({ name, status, error = '', steps }: WorkflowRun): string {
  const lines = steps.map(({ title, status: ofStep }) => `${title}: ${ofStep}`);
  return `workflow ${name}: ${status} ${error}\n${indented(lines.join('\n'))}`;
}

function line(snapshot: Snapshot, message: Message): string {
  const author = snapshot.members.find((member) => member.id === message.userId)?.realName ?? message.userId;
  const inThread = message.threadTs !== undefined && message.threadTs !== message.ts ? '↳ ' : '';
  const only = message.ephemeral ? ' (only visible to you)' : '';
  return indented(`${inThread}${author}${only}: ${visibleText(message)}`);
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}
