import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import type { SocketTransport } from '../delivery/socket-transport.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { type AdminControls, handleAdminRequest } from './admin-routes.ts';
import { handlePeopleRequest } from './people-routes.ts';
import { type Exchange, sendText } from './request.ts';
import { avatar, staticPage } from './served-files.ts';
import { handleResponseUrl, handleUpload, handleWebApiCall } from './web-api.ts';

type ServerParts = {
  workspace: Workspace;
  pageDir: string | undefined;
  /** The address it listens on. */
  host: string;
  admin: AdminControls | undefined;
  sockets: SocketTransport | undefined;
};

/** The base for parsing request paths. */
const BASE = 'http://localhost';

/** Serves the Web API, response URLs, uploads, Socket Mode, the page and its API. */
export function createWorkspaceServer(parts: ServerParts): Server {
  const server = createServer((request, response) => {
    void answer(parts, request, response);
  });
  const upgrades = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { sockets, workspace } = parts;
    const path = request.url ?? '/';
    const url = new URL(URL.canParse(path, BASE) ? path : '/', BASE);
    const isAdmitted = url.pathname === '/link/' && workspace.tickets.redeem(url.searchParams.get('ticket') ?? '');
    if (!sockets || !isAdmitted) socket.destroy();
    else upgrades.handleUpgrade(request, socket, head, (connection) => sockets.accept(connection));
  });
  return server;
}

async function answer(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const exchange = { request, response, url: new URL(request.url ?? '/', BASE) };
    if (isForeign(parts, request)) sendText(response, 403, 'Only pages of this workspace may make requests.');
    else await route(parts, exchange);
  } catch (fault) {
    if (response.headersSent) response.destroy();
    else sendText(response, 500, `The workspace failed: ${String(fault)}`);
  }
}

/**
 * There is no login, so pages from other sites in the same browser must not be able to act as members. The `Origin` must
 * be this server's, and on a local server the `Host` must be a local name, which stops DNS rebinding.
 */
function isForeign(parts: ServerParts, request: IncomingMessage): boolean {
  const { origin, host = '' } = request.headers;
  const name = host.replace(/:\d+$/, '');
  const isLocal = ['127.0.0.1', '[::1]', '::1', 'localhost'].includes(parts.host);
  if (isLocal && !['localhost', '127.0.0.1', '[::1]'].includes(name)) return true;
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host);
}

async function route(parts: ServerParts, exchange: Exchange): Promise<void> {
  const { workspace } = parts;
  const { pathname } = exchange.url;
  const [, family = '', name = ''] = pathname.split('/');
  if (family === 'api') {
    if (!(await handlePeopleRequest(workspace, exchange))) await handleWebApiCall(workspace, exchange, name);
  } else if (family === 'response') await handleResponseUrl(workspace, exchange);
  else if (family === 'upload') await handleUpload(workspace, exchange, name);
  else if (family === 'avatars') avatar(workspace, exchange);
  else if (family === '_sandbox' && parts.admin) await handleAdminRequest(workspace, parts.admin, exchange);
  else await staticPage(parts.pageDir, exchange);
}
