import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Answer, refusal, send } from './answer.ts';
import { findRoute, type RouteHandlers, type RouteLimits } from './routes.ts';

export interface HttpServer {
  /** Listens on all addresses or one; resolves to the port, which matters to those who asked for any (0). */
  listen(port: number, host?: string): Promise<number>;
  /** Accepts nothing new and finishes the requests in progress; cuts off what isn't finished in time. */
  close(withinMs: number): Promise<void>;
}

export interface HttpServerOptions extends RouteHandlers {
  log: Logger;
  /** Called for each of our own faults, for metrics. */
  onFault?: () => void;
  limits?: Partial<HttpLimits>;
}

export interface HttpLimits extends Pick<RouteLimits, 'webhookBytes' | 'slackBytes' | 'readinessMs'> {
  /** For all webhook bodies in memory, and as much again for Slack's. */
  heldBytes: number;
  /** For the headers, and for a whole request. */
  headersMs: number;
  requestMs: number;
  connections: number;
}

const LIMITS: HttpLimits = {
  webhookBytes: 20 * 1_048_576,
  slackBytes: 1_048_576,
  heldBytes: 256 * 1_048_576,
  headersMs: 10_000,
  requestMs: 60_000,
  readinessMs: 3_000,
  connections: 2_000,
};

/** Longer than the idle time of common load balancers (60 s). Otherwise they might use a connection we have just closed. */
const KEEP_ALIVE_MS = 65_000;

/** The bot's one HTTP server, for webhooks, health, metrics, and Slack in HTTP mode. */
export function createHttpServer({ log, onFault = () => {}, ...options }: HttpServerOptions): HttpServer {
  const limits = { ...LIMITS, ...options.limits };
  const { headersMs, requestMs, heldBytes } = limits;
  const budgets = { webhookBudget: { freeBytes: heldBytes }, slackBudget: { freeBytes: heldBytes } };
  const timing = { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: KEEP_ALIVE_MS };
  const checking = { connectionsCheckingInterval: Math.min(5_000, headersMs) };
  const server = createServer({ ...timing, ...checking }, (request, response) => {
    const answerWith = (answer: Answer) => {
      // Otherwise a keep-alive client would block the shutdown.
      if (!server.listening) response.setHeader('connection', 'close');
      send(request, response, answer);
    };
    handle(request, options, { ...limits, ...budgets }).then(answerWith, (error) => {
      if (isSenderGone(request)) return;
      onFault();
      log.error({ err: error, method: request.method }, 'a request failed');
      answerWith(refusal(500, 'Something went wrong here.'));
    });
  });
  server.maxConnections = limits.connections;
  return { listen: (port, host) => listen(server, port, host), close: (withinMs) => close(server, withinMs) };
}

async function handle(request: IncomingMessage, handlers: RouteHandlers, limits: RouteLimits): Promise<Answer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const route = findRoute(path, handlers, limits);
  if (!route) return refusal(404, 'There is nothing here.');
  if (route.methods.includes(request.method ?? '')) return route.handle(request);
  return refusal(405, 'Not with this method.', { allow: route.methods.join(', ') });
}

/** A sender that went away isn't our fault. */
function isSenderGone(request: IncomingMessage): boolean {
  return request.destroyed && !request.complete;
}

function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve(portOf(server.address()));
    });
  });
}

function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address ? address.port : 0;
}

function close(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}
