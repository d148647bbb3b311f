import type { Message, OpenView, WorkflowRun } from '../people-api.ts';
import type { PersonAction, PersonProblem } from '../person-actions.ts';
import type { WorkspaceClient } from './client.ts';
import { channelIdOf, findInput, inputOf, type Where } from './find-in-snapshot.ts';
import { createQueries, type DriverQueries, type WaitOptions } from './queries.ts';
import { type Perform, press, putIn, tickOff } from './use-element.ts';

/** A workspace member driven by a test, able to do exactly what a person could. */
export type Person = { readonly id: string } & DriverQueries & DriverActions;

/** @param wait how long the person waits for something to appear, unless a call says otherwise */
export function createPerson(client: WorkspaceClient, id: string, wait: WaitOptions = {}): Person {
  const queries = createQueries(client, id, wait);
  return { id, ...queries, ...createActions(client, id, queries) };
}

/** The actions of a driven person. Calls reject with `PersonProblemError` where Slack would show an error. */
type DriverActions = {
  say(channel: string, text: string): Promise<Message>;
  reply(to: Message, text: string, options?: { alsoToChannel?: boolean }): Promise<Message>;
  /** Sends a slash command of the app or of the workspace itself (`/invite @name`). */
  command(channel: string, command: string, text?: string, where?: { in?: string }): Promise<void>;
  /** Waits for the button with this label and presses it. `confirm`: the label of the confirm dialog's button, if any. */
  click(label: string, where?: Where & WaitOptions & { confirm?: string }): Promise<void>;
  /** Types into the input with this label, and presses Enter if the input dispatches actions. */
  fill(label: string, text: string, where?: Where & WaitOptions): Promise<void>;
  /** Chooses options by their text, or people and channels by name. */
  choose(label: string, options: string | string[], where?: Where & WaitOptions): Promise<void>;
  /** Uploads files to the field with this label, in place of those that it had. */
  attach(label: string, files: { name: string; bytes: Buffer }[], where?: Where & WaitOptions): Promise<void>;
  /** Ticks the checkbox with this text, and leaves the others as they are. */
  tick(option: string, where?: Where & WaitOptions): Promise<void>;
  untick(option: string, where?: Where & WaitOptions): Promise<void>;
  submit(): Promise<void>;
  /** Presses the modal's close button, which returns to the modal below, if any. */
  back(): Promise<void>;
  /** Presses the ✕, which closes all modals. */
  closeModal(): Promise<void>;
  openHome(): Promise<void>;
  openMessages(): Promise<void>;
  messageShortcut(name: string, message: Message): Promise<void>;
  globalShortcut(name: string): Promise<void>;
  /** Fills in the form of a workflow by its labels and starts it. Resolves to the run. */
  startWorkflow(name: string, form?: { [label: string]: string }): Promise<WorkflowRun>;
  cancelWorkflow(run: WorkflowRun): Promise<void>;
  join(channel: string): Promise<void>;
  markRead(message: Message): Promise<void>;
  dismiss(message: Message): Promise<void>;
  /** A file of a message, by name or title. */
  download(message: Message, file: string): Promise<Buffer>;
};

function createActions(client: WorkspaceClient, id: string, queries: DriverQueries): DriverActions {
  const outcomeOf = async (action: PersonAction) => {
    const outcome = await client.act(id, action);
    if (!outcome.ok) throw new PersonProblemError(outcome.problem, await queries.screen());
    return outcome;
  };
  const perform = async (action: PersonAction) => (await outcomeOf(action)).ts;
  const channelId = async (reference: string) => channelIdOf(await queries.snapshot(), reference);
  const onTop = async (): Promise<OpenView> => queries.waitFor('a modal', (snapshot) => snapshot.modals.at(-1));
  const shortcut = async (type: 'message' | 'global', name: string) => {
    const { shortcuts } = (await queries.snapshot()).app;
    const shortcut = shortcuts.find((offered) => offered.type === type && offered.name === name);
    if (!shortcut)
      throw new Error(`no such shortcut: ${name}; available: ${shortcuts.map((one) => one.name).join(', ')}`);
    return shortcut.callbackId;
  };
  const put = (label: string, words: string[], where: Where & WaitOptions) =>
    putIn(queries, perform, { label, where, inputFor: (element, snapshot) => inputOf(element, words, snapshot) });
  return {
    say: (channel, text) => sendMessage(queries, perform, { channel, text }),
    reply: (to, text, options = {}) =>
      sendMessage(queries, perform, { channel: to.channel, text, threadTs: to.threadTs ?? to.ts, ...options }),
    async command(channel, command, text = '', where = {}) {
      const message = { text: `${command} ${text}`.trim(), ...(where.in !== undefined && { workspace: where.in }) };
      await perform({ type: 'send', channel: await channelId(channel), ...message });
    },
    click: (label, where = {}) => press(queries, perform, { label, where }),
    fill: (label, text, where = {}) => put(label, [text], where),
    choose: (label, options, where = {}) => put(label, [options].flat(), where),
    async attach(label, files, where = {}) {
      const uploaded = await Promise.all(files.map((file) => client.upload(id, file)));
      await putIn(queries, perform, { label, where, inputFor: () => ({ kind: 'files', files: uploaded }) });
    },
    tick: (option, where = {}) => tickOff(queries, perform, { option, becomes: 'ticked', where }),
    untick: (option, where = {}) => tickOff(queries, perform, { option, becomes: 'unticked', where }),
    async submit() {
      await perform({ type: 'submit', viewId: (await onTop()).id });
    },
    async back() {
      await perform({ type: 'close', viewId: (await onTop()).id, extent: 'one' });
    },
    async closeModal() {
      await perform({ type: 'close', viewId: (await onTop()).id, extent: 'all' });
    },
    async openHome() {
      await perform({ type: 'open-home', tab: 'home' });
    },
    async openMessages() {
      await perform({ type: 'open-home', tab: 'messages' });
    },
    async messageShortcut(name, { channel, ts }) {
      await perform({ type: 'message-shortcut', callbackId: await shortcut('message', name), channel, ts });
    },
    async globalShortcut(name) {
      await perform({ type: 'global-shortcut', callbackId: await shortcut('global', name) });
    },
    async startWorkflow(name, form = {}) {
      const snapshot = await queries.snapshot();
      const offer = snapshot.workflows.find((offered) => offered.name === name);
      if (!offer) throw new Error(`no such workflow: ${name}; available: ${snapshot.workflows.map((one) => one.name)}`);
      const inputs = Object.entries(form).map(([label, word]) => {
        const input = findInput(offer.form, label);
        if (!input) throw new Error(`the form of ${name} has no field labelled “${label}”`);
        const { block, element } = input;
        return [block.block_id, { [String(element.action_id)]: inputOf(element, [word], snapshot) }];
      });
      const { runId } = await outcomeOf({ type: 'start-workflow', name, inputs: Object.fromEntries(inputs) });
      return queries.waitFor('the run', ({ workflowRuns }) => workflowRuns.find((run) => run.id === runId));
    },
    async cancelWorkflow(run) {
      await perform({ type: 'cancel-workflow', runId: run.id });
    },
    async join(channel) {
      await perform({ type: 'join', channel: await channelId(channel) });
    },
    async markRead({ channel, ts }) {
      await perform({ type: 'mark-read', channel, ts });
    },
    async dismiss({ channel, ts }) {
      await perform({ type: 'dismiss', channel, ts });
    },
    async download(message, file) {
      const attachment = message.files.find((candidate) => candidate.name === file || candidate.title === file);
      const bytes = attachment && (await client.download(id, attachment.id));
      if (!bytes) throw new Error(`there is no file “${file}” in that message\n${await queries.screen()}`);
      return bytes;
    },
  };
}

async function sendMessage(
  queries: DriverQueries,
  perform: Perform,
  message: { channel: string; text: string; threadTs?: string; alsoToChannel?: boolean },
): Promise<Message> {
  const channel = channelIdOf(await queries.snapshot(), message.channel);
  const ts = await perform({ ...message, type: 'send', channel });
  return queries.waitFor('the message just sent', (snapshot) =>
    snapshot.messages[channel]?.find((message) => message.ts === ts),
  );
}

/** An action failed visibly: `problem` is what the person sees. */
export class PersonProblemError extends Error {
  readonly problem: PersonProblem;

  constructor(problem: PersonProblem, screen: string) {
    super(`${problem.code}: ${problem.text}\n${screen}`);
    this.problem = problem;
  }
}
