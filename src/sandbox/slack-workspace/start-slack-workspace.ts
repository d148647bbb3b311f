import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Assembly, assembleWorkspace } from './assemble-workspace.ts';
import { deliverAgain } from './delivery/deliver.ts';
import type { Delivered } from './delivery/transport.ts';
import { verifyRequestUrl } from './delivery/verify-request-url.ts';
import type { Seat } from './driver/client.ts';
import { createPerson, type Person } from './driver/person.ts';
import { createWorkspaceServer } from './http/workspace-server.ts';
import { act } from './people/act.ts';
import { snapshotFor } from './people/snapshot.ts';
import { visibleFile } from './people/visible.ts';
import type { Snapshot, WireEntry } from './people-api.ts';
import type { Fault } from './runtime/faults.ts';
import type { AppSettings } from './runtime/installed-app.ts';
import type { Workspace } from './runtime/workspace.ts';
import { findMessage, removeMessage } from './state/messages.ts';
import type { Seed } from './state/seed.ts';
import type { StoredMessage } from './state/workspace-state.ts';

export type WorkspaceOptions = {
  /** 0, the default: any free port. */
  port?: number;
  /** Default 127.0.0.1. The page has no login: think twice before listening elsewhere. */
  host?: string;
  /** The address in permalinks and response URLs, without a slash at the end. Default: host and port. */
  origin?: string;
  /** What differs from `DEFAULT_APP`: delivery, scopes, commands, shortcuts, events… */
  app?: Partial<AppSettings>;
  /** What the workspace begins with, where no state was kept. */
  seed?: Seed;
  /** Keeps the state in this file, across restarts. */
  stateFile?: string;
  /** The built web page. */
  pageDir?: string;
  /** Slack's real rates, the default, or none. */
  rateLimits?: 'real' | 'off';
  /** Opens `/_sandbox/…` for other processes. */
  admin?: boolean;
  /** The clock, in milliseconds since the epoch; tests move it to see things expire. */
  now?: () => number;
  /** How long the app has to acknowledge, instead of Slack's 3,000 ms; above that triggers live as long, too. */
  ackLimitMs?: number;
};

export type SlackWorkspace = {
  /** To be given to the app as `SLACK_API_URL`; ends in `/api/`. */
  apiUrl: string;
  pageUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  /** HTTP mode: where the app takes commands, interactions and events. Of no effect in Socket Mode. */
  installAt(requestUrl: string): void;
  /** Challenges the request URL as Slack does when it is entered; whether the app answered rightly. */
  verifyRequestUrl(): Promise<boolean>;
  /** A member, by id or handle, for acting and looking as them. */
  as(member: string): Person;
  /** Every message of the workspace, ephemeral ones too, as stored, oldest first. */
  messages(): StoredMessage[];
  /** Deletes anybody's message, as a member with the rights of an admin can; the app is not told. */
  deleteMessage(message: { channel: string; ts: string }): void;
  /** Makes calls to the Web API go wrong. */
  faults: { add(fault: Fault): void; clear(): void; waiting(): number };
  /** Every request between the app and the workspace, oldest first. */
  calls(): WireEntry[];
  /** Delivers the newest thing of this wire name (`block_actions`, `/kickoff`…) to the app once more. */
  redeliver(name: string): Promise<Delivered | undefined>;
  /** Socket Mode: open connections, asking for new ones as Slack does, and breaking them. */
  sockets: { connections(): number; refresh(): void; cut(): void };
  close(): Promise<void>;
};

/** Starts a workspace with one installed app. Resolves when it listens. */
export async function startSlackWorkspace(options: WorkspaceOptions = {}): Promise<SlackWorkspace> {
  const host = options.host ?? '127.0.0.1';
  let origin = options.origin ?? '';
  const assembly = assembleWorkspace(options, () => origin);
  const powers = powersOf(assembly);
  const server = createWorkspaceServer({
    workspace: assembly.workspace,
    sockets: assembly.sockets,
    pageDir: options.pageDir,
    host,
    admin: options.admin
      ? { installAt: powers.installAt, refreshSockets: powers.sockets.refresh, cutSockets: powers.sockets.cut }
      : undefined,
  });
  const port = await listen(server, options.port ?? 0, host);
  const address = `http://${host}:${port}`;
  origin = options.origin ?? address;
  const { botToken, appToken, signingSecret } = assembly.workspace.app;
  const addresses = { apiUrl: `${address}/api/`, pageUrl: `${origin}/`, botToken, appToken, signingSecret };
  return { ...addresses, ...powers, close: () => close(server, assembly) };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

async function close(server: Server, { sockets, flush }: Assembly): Promise<void> {
  await sockets?.end();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  flush();
}

type Powers = Pick<
  SlackWorkspace,
  'installAt' | 'verifyRequestUrl' | 'as' | 'messages' | 'deleteMessage' | 'faults' | 'calls' | 'redeliver' | 'sockets'
>;

function powersOf({ workspace, sockets }: Assembly): Powers {
  const seat = localSeat(workspace);
  return {
    installAt(requestUrl) {
      if (!sockets) workspace.app.delivery = { mode: 'http', requestUrl };
    },
    verifyRequestUrl: () => verifyRequestUrl(workspace),
    as: (reference) => createPerson(seat, memberId(workspace, reference)),
    messages: () => structuredClone(workspace.state.messages),
    deleteMessage({ channel, ts }) {
      const message = findMessage(workspace.state, channel, ts);
      if (message && !message.tombstone) removeMessage(workspace.state, message);
      workspace.touch();
    },
    faults: workspace.faults,
    calls: () => workspace.wire.after(0),
    redeliver: (name) => deliverAgain(workspace, name),
    sockets: {
      connections: () => sockets?.connections() ?? 0,
      refresh: () => sockets?.refresh(),
      cut: () => sockets?.cut(),
    },
  };
}

function memberId(workspace: Workspace, reference: string): string {
  const found = workspace.state.members.find((member) => member.id === reference || member.name === reference);
  if (!found)
    throw new Error(
      `there is no member ${reference}; there are: ${workspace.state.members.map((m) => m.name).join(', ')}`,
    );
  return found.id;
}

/** A seat in this process. Looking again costs nothing while nothing has changed. */
function localSeat(workspace: Workspace): Seat {
  const seen = new Map<string, Snapshot>();
  return {
    act: (as, action) => act(workspace, as, action),
    async snapshot(as) {
      const last = seen.get(as);
      if (last?.revision === workspace.revision()) return last;
      const snapshot = snapshotFor(workspace, as);
      seen.set(as, snapshot);
      return snapshot;
    },
    async download(as, fileId) {
      const file = visibleFile(workspace.state, as, fileId);
      return file && Buffer.from(file.contentBase64 ?? '', 'base64');
    },
  };
}
