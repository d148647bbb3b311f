import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { SocketTransport } from '../delivery/socket-transport.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { type AdminControls, handleAdminRequest } from './admin-routes.ts';
import { handlePeopleRequest } from './people-routes.ts';
import { BodyTooLarge, type Exchange, sendText } from './request.ts';
import { avatar, staticPage } from './served-files.ts';
import { handleElsewhere, handleResponseUrl, handleUpload, handleWebApiCall } from './web-api.ts';

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
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return withoutUpgrade(server, socket, request, head);
    const url = addressOf(request);
    const isAdmitted = url?.pathname === '/link/' && workspace.tickets.redeem(url.searchParams.get('ticket') ?? '');
    if (!sockets || !isAdmitted) socket.destroy();
    else upgrades.handleUpgrade(request, socket, head, (connection) => sockets.accept(connection));
  });
  return server;
}

/**
 * Answers over HTTP/1.1 a request for another protocol, such as `Upgrade: h2c` of Java's HTTP client: “A server MAY ignore a
 * received Upgrade header field” (https://www.rfc-editor.org/rfc/rfc9110#section-7.8). Node.js has stopped reading the
 * connection, so the server gets it once more, with the same request without this header.
 */
function withoutUpgrade(server: Server, socket: Duplex, request: IncomingMessage, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

/** Undefined if the address can't be read. */
function addressOf({ url = '/' }: IncomingMessage): URL | undefined {
  try {
    const address = new URL(url, BASE);
    decodeURIComponent(address.pathname);
    return address;
  } catch {
    return undefined;
  }
}

async function answer(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = addressOf(request);
  try {
    if (!url) sendText(response, 400, 'The address can’t be read.');
    else if (isForeign(parts, request)) sendText(response, 403, 'Only pages of this workspace may make requests.');
    else await route(parts, { request, response, url });
  } catch (fault) {
    if (response.headersSent) response.destroy();
    else if (fault instanceof BodyTooLarge) sendText(response, 413, fault.message);
    else sendText(response, 500, `The workspace failed: ${String(fault)}`);
  }
}

/**
 * There is no login, so pages from other sites in the same browser must not be able to act as members. The `Origin` must
 * be this server's, and on a local server the `Host` must be a local name, which stops DNS rebinding, or one of Slack's, which
 * nobody else can make point here: apps under `slack-workspace run` ask for that.
 */
function isForeign(parts: ServerParts, request: IncomingMessage): boolean {
  const { origin, host = '' } = request.headers;
  const name = host.replace(/:\d+$/, '');
  const isLocal = ['127.0.0.1', '[::1]', '::1', 'localhost'].includes(parts.host);
  if (isLocal && !/^(?:localhost|127\.0\.0\.1|\[::1\]|(?:.+\.)?slack\.com)$/i.test(name)) return true;
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
  else if (!(await handleElsewhere(workspace, exchange, family))) await staticPage(parts.pageDir, exchange);
}
