import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Assembly, assembleWorkspace } from './assemble-workspace.ts';
import { deliverAgain } from './delivery/deliver.ts';
import { verifyRequestUrl } from './delivery/http-transport.ts';
import type { Delivered } from './delivery/transport.ts';
import { createLocalClient } from './driver/client.ts';
import { createPerson, type Person } from './driver/person.ts';
import type { WaitOptions } from './driver/queries.ts';
import { createWorkspaceServer } from './http/workspace-server.ts';
import { buildWorkflow, type FunctionRun, runFunction } from './interactions/workflows.ts';
import type { JsonObject } from './json.ts';
import { type Administration, createAdministration, memberId } from './people/administer.ts';
import type { Fault } from './runtime/faults.ts';
import { deleteMessage } from './runtime/messages.ts';
import { findMessage } from './state/messages.ts';
import type { StoredMessage } from './state/workspace-state.ts';
import type { WireEntry } from './wire-entry.ts';
import type { Workflow } from './workflow.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

export type SlackWorkspace = WorkspaceControls & {
  /** For the app's `SLACK_API_URL`; ends in `/api/`. */
  apiUrl: string;
  pageUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** Shows a line with its time on every open page, until it is dismissed or the next one comes. */
  announce(text: string): void;
  close(): Promise<void>;
};

/** Starts a workspace with one installed app. Resolves once it is listening. */
export async function startSlackWorkspace(options: WorkspaceOptions = {}): Promise<SlackWorkspace> {
  const host = options.host ?? '127.0.0.1';
  let origin = options.origin ?? '';
  const assembly = assembleWorkspace(options, () => origin);
  const controls = createControls(assembly, { withinMs: options.waitMs });
  const { installAt, sockets, admin } = controls;
  const server = createWorkspaceServer({
    workspace: assembly.workspace,
    sockets: assembly.sockets,
    pageDir: options.pageDir,
    host,
    admin: options.admin ? { installAt, sockets, administration: admin } : undefined,
  });
  const port = await listen(server, options.port ?? 0, host);
  const address = `http://${nameInUrls(host)}:${port}`;
  origin = options.origin ?? address;
  const { botToken, appToken, signingSecret } = assembly.workspace.app;
  const addresses = { apiUrl: `${address}/api/`, pageUrl: `${origin}/`, botToken, appToken, signingSecret };
  const { announce } = assembly.workspace.pageControls;
  return { ...addresses, ...controls, announce, close: () => close(server, assembly) };
}

/** Returns the name in addresses: a workspace that listens everywhere is on this machine, too. */
function nameInUrls(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

async function close(server: Server, { sockets, end }: Assembly): Promise<void> {
  await sockets?.end();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  end();
}

/** The workspace as tests in the same process act in it and inspect it. */
type WorkspaceControls = {
  /** HTTP mode: sets where the app takes commands, interactions and events. Has no effect in Socket Mode. */
  installAt(requestUrl: string): void;
  /** Challenges the request URL as Slack does when it is entered. Resolves to whether the app answered correctly. */
  verifyRequestUrl(): Promise<boolean>;
  /** Acts and looks as a member, given by id or handle. */
  as(member: string): Person;
  /** All messages as stored, including ephemeral ones, oldest first. */
  messages(): StoredMessage[];
  /** Deletes any message, as a workspace admin can. */
  deleteMessage(message: { channel: string; ts: string }): void;
  /** Changes who is in a group or channel, deactivated or a guest. */
  admin: Administration;
  /** Injects faults into Web API calls. */
  faults: { add(fault: Fault): void; clear(): void; waiting(): number };
  /** Runs a custom step of the app, as a workflow does. Throws if it has none of this name, or other inputs. */
  runFunction(callbackId: string, inputs?: JsonObject): FunctionRun;
  /** Adds a workflow for people to start, in place of the one with its name. Throws where Slack wouldn't publish it. */
  buildWorkflow(workflow: Workflow): void;
  /** Every request between the app and the workspace, oldest first. */
  calls(): WireEntry[];
  /** Returns the number of events that wait to be delivered again, since the app hasn't acknowledged them. */
  eventsToRetry(): number;
  /** Redelivers the latest delivery with this wire name (`block_actions`, `/kickoff`…). */
  redeliver(name: string): Promise<Delivered | undefined>;
  /** Socket Mode: counts open connections, warns that they end or asks for new ones as Slack does, or breaks them. */
  sockets: { connections(): number; warn(): void; refresh(): void; cut(): void };
};

function createControls({ workspace, sockets }: Assembly, wait: WaitOptions): WorkspaceControls {
  const client = createLocalClient(workspace);
  return {
    installAt(requestUrl) {
      if (!sockets) workspace.app.delivery = { mode: 'http', requestUrl };
    },
    verifyRequestUrl: () => verifyRequestUrl(workspace),
    as: (reference) => createPerson(client, memberId(workspace, reference), wait),
    messages: () => structuredClone(workspace.state.messages),
    deleteMessage({ channel, ts }) {
      const message = findMessage(workspace.state, channel, ts);
      if (message && !message.tombstone) deleteMessage(workspace, message);
    },
    admin: createAdministration(workspace),
    faults: workspace.faults,
    runFunction: (callbackId, inputs = {}) => runFunction(workspace, callbackId, inputs),
    buildWorkflow: (workflow) => buildWorkflow(workspace, workflow),
    calls: () => workspace.wire.after(0),
    eventsToRetry: () => workspace.retrying.size,
    redeliver: (name) => deliverAgain(workspace, name),
    sockets: {
      connections: () => sockets?.connections() ?? 0,
      warn: () => sockets?.warn(),
      refresh: () => sockets?.refresh(),
      cut: () => sockets?.cut(),
    },
  };
}
