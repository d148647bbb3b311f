import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { pageFolder } from '../../../../src/sandbox/slack-workspace/page-folder.ts';
import { HEARTBEAT_MS, type LiveUpdate, type Snapshot } from '../../../../src/sandbox/slack-workspace/people-api.ts';
import type {
  ActionOutcome,
  ChosenFile,
  PersonAction,
} from '../../../../src/sandbox/slack-workspace/person-actions.ts';
import type { WireEntry } from '../../../../src/sandbox/slack-workspace/wire-entry.ts';
import { freePort } from '../../../../src/setup/free-port.ts';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export type ScriptedWorkspace = {
  url: string;
  /** What the page did, oldest first; marking as read and looking at the Home tab are left out. */
  actions: PersonAction[];
  /** The `ts` up to which the page has marked something as read, oldest first. */
  read: string[];
  /** Begins anew with this state, for the next test: nothing was done, and everything succeeds. */
  reset(first: Snapshot): void;
  /** Pushes a new snapshot to all connected pages. */
  show(change: (snapshot: Snapshot) => Snapshot): void;
  wire(entry: WireEntry): void;
  /** Decides what the page is answered; by default everything succeeds. */
  answer: (action: PersonAction) => ActionOutcome | Promise<ActionOutcome>;
  /** Breaks the live connections, takes the next one without ever answering it, and is well again after that. */
  hangUp(): Promise<void>;
  close(): Promise<void>;
};

/** The page, served with states that the test makes up: for what is hard to reach through a real app. */
export async function startScriptedWorkspace(first: Snapshot, atPort?: number): Promise<ScriptedWorkspace> {
  const page = pageFolder();
  const watchers = new Set<ServerResponse>();
  const wire: WireEntry[] = [];
  let snapshot = first;
  let leaveUnanswered: (() => void) | undefined;
  const tell = (update: LiveUpdate) => {
    for (const watcher of watchers) watcher.write(`data: ${JSON.stringify(update)}\n\n`);
  };
  const act = async (request: IncomingMessage): Promise<ActionOutcome> => {
    const action: PersonAction = JSON.parse(await bodyOf(request));
    if (action.type === 'mark-read') workspace.read.push(action.ts);
    else if (action.type !== 'open-home') workspace.actions.push(action);
    return workspace.answer(action);
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const json = (value: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
    if (pathname === '/api/members') return json({ team: snapshot.team, members: snapshot.members });
    if (pathname === '/api/wire') return json(wire);
    if (pathname === '/api/act') return json(await act(request));
    if (pathname === '/api/uploads') return json(uploaded(request));
    if (pathname.startsWith('/api/files/'))
      return response.setHeader('content-type', 'text/plain').end('The whole file');
    if (pathname !== '/api/live') return serveFile(page, pathname, response);
    if (leaveUnanswered) return leaveUnanswered();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ type: 'snapshot', snapshot })}\n\n`);
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
  });
  // Not one of those that outgoing connections get: a page that dials such a port while it is free may reach itself.
  const port = atPort ?? (await freePort());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const heartbeat = setInterval(() => tell({ type: 'heartbeat' }), HEARTBEAT_MS);
  const workspace: ScriptedWorkspace = {
    url: `http://127.0.0.1:${port}/`,
    actions: [],
    read: [],
    answer: succeed,
    reset: (fresh) => {
      snapshot = fresh;
      leaveUnanswered = undefined;
      workspace.answer = succeed;
      for (const list of [workspace.actions, workspace.read, wire]) list.length = 0;
    },
    show: (change) => {
      snapshot = { ...change(snapshot), revision: snapshot.revision + 1 };
      tell({ type: 'snapshot', snapshot });
    },
    wire: (entry) => {
      wire.push(entry);
      tell({ type: 'wire', entry });
    },
    hangUp: () =>
      new Promise((resolve) => {
        leaveUnanswered = () => {
          leaveUnanswered = undefined;
          resolve();
        };
        for (const watcher of watchers) watcher.destroy();
      }),
    close: () =>
      new Promise((resolve) => {
        clearInterval(heartbeat);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return workspace;
}

function succeed(): ActionOutcome {
  return { ok: true };
}

/** Takes any file, with its name for an id. */
function uploaded({ url = '' }: IncomingMessage): ChosenFile {
  const name = new URL(url, 'http://localhost').searchParams.get('name') ?? '';
  return { id: name, name };
}

async function serveFile(page: string, pathname: string, response: ServerResponse): Promise<void> {
  const name = pathname.startsWith('/assets/') ? pathname : 'index.html';
  const type = TYPES[extname(name)] ?? 'application/octet-stream';
  response
    .setHeader('cache-control', name.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache')
    .setHeader('content-type', type)
    .end(await readFile(join(page, name)));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
