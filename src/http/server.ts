import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { WebhookRoute, Webhooks } from '../crew/webhooks/routes.ts';
import { type Answer, json, refusal, send } from './answer.ts';
import { type BodyBudget, withBody } from './read-body.ts';

export interface HttpServer {
  /** Listens on all addresses, or on one. Answers the port, for those who asked for any (0). */
  listen(port: number, host?: string): Promise<number>;
  /** Accepts nothing new and finishes what is in hand; what isn't finished in time is cut off. */
  close(withinMs: number): Promise<void>;
}

export interface HttpServerOptions {
  webhooks: Webhooks;
  /** Slack's door, in HTTP mode. Gets the body as it came, since the signature is made over it. */
  slack?: (request: { headers: IncomingHttpHeaders; body: Buffer }) => Promise<Answer>;
  /** The parts that have to work, by name, and whether each does. */
  readiness: () => Promise<Record<string, boolean>>;
  /** In the text format of Prometheus. */
  metrics: () => Promise<string>;
  log: Logger;
  /** Hears of each fault of ours, for metrics. */
  onFault?: () => void;
  limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  webhookBytes: number;
  slackBytes: number;
  /** Of all bodies of webhooks that are in hand together, and as much for Slack's: neither crowds out the other. */
  heldBytes: number;
  /** For the headers, and for a request as a whole. */
  headersMs: number;
  requestMs: number;
  readinessMs: number;
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

/** Longer than the idle time of the usual load balancers (60 s), which would else use a connection that we just closed. */
const KEEP_ALIVE_MS = 65_000;

/** The one HTTP server of the bot: webhooks, health, metrics, and Slack's door in HTTP mode. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const limits = { ...LIMITS, ...options.limits };
  const [webhookBudget, slackBudget] = [{ freeBytes: limits.heldBytes }, { freeBytes: limits.heldBytes }];
  const inside: Inside = { ...options, limits, webhookBudget, slackBudget };
  const { headersMs, requestMs } = limits;
  const timing = { headersTimeout: headersMs, requestTimeout: requestMs, keepAliveTimeout: KEEP_ALIVE_MS };
  const checking = { connectionsCheckingInterval: Math.min(5_000, headersMs) };
  const server = createServer({ ...timing, ...checking }, (request, response) => {
    const say = (answer: Answer) => {
      // Else a client that is still connected would hold up the end.
      if (!server.listening) response.setHeader('connection', 'close');
      send(request, response, answer);
    };
    respond(request, inside).then(say, (error) => {
      if (isGone(request)) return;
      options.onFault?.();
      options.log.error({ err: error, method: request.method }, 'a request failed');
      say(refusal(500, 'Something went wrong here.'));
    });
  });
  server.maxConnections = limits.connections;
  return { listen: (port, host) => listen(server, port, host), close: (withinMs) => close(server, withinMs) };
}

type Inside = HttpServerOptions & { limits: HttpLimits; webhookBudget: BodyBudget; slackBudget: BodyBudget };
type Handle = (request: IncomingMessage) => Promise<Answer>;

async function respond(request: IncomingMessage, inside: Inside): Promise<Answer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const found = findOwn(path, inside) ?? findWebhook(path, inside);
  if (!found) return refusal(404, 'There is nothing here.');
  if (found.methods.includes(request.method ?? '')) return found.handle(request);
  return refusal(405, 'Not with this method.', { allow: found.methods.join(', ') });
}

interface Route {
  methods: string[];
  handle: Handle;
}

function findOwn(path: string, inside: Inside): Route | null {
  const { slack } = inside;
  switch (path) {
    case '/healthz':
      return { methods: READ, handle: async () => json(200, { status: 'alive' }) };
    case '/readyz':
      return { methods: READ, handle: () => ready(inside) };
    case '/metrics':
      return { methods: READ, handle: () => scrape(inside) };
    case '/slack/events':
      return slack ? { methods: ['POST'], handle: (request) => askSlack(request, slack, inside) } : null;
    default:
      return null;
  }
}

const READ = ['GET', 'HEAD'];

function findWebhook(path: string, inside: Inside): Route | null {
  const segments = segmentsOf(path);
  const route = segments && inside.webhooks.find(segments);
  return route && { methods: ['POST'], handle: (request) => receive(request, route, inside) };
}

/** The decoded parts of the path, taken as they are: no dots or slashes are resolved. Null where they can't be decoded. */
function segmentsOf(path: string): string[] | null {
  if (!path.startsWith('/')) return null;
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** Who calls is asked before a single byte of the body is read. */
async function receive(
  request: IncomingMessage,
  route: WebhookRoute,
  { limits, webhookBudget }: Inside,
): Promise<Answer> {
  const receiver = route.authenticate(authorizationOf(request));
  if (!receiver) return UNAUTHORIZED;
  return withBody(request, { mostBytes: limits.webhookBytes, budget: webhookBudget }, async (body) => {
    const { status, body: said } = await receiver(body);
    return { ...json(status, said), ...(status === 503 && { headers: { 'retry-after': '5' } }) };
  });
}

/** Of several headers, others on the way may have looked at another one than we would: then there is none. */
function authorizationOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [only, ...others] = headersDistinct.authorization ?? [];
  return others.length === 0 ? only : undefined;
}

const UNAUTHORIZED = refusal(401, 'The credentials are missing or wrong.', {
  'www-authenticate': 'Bearer, Basic realm="webhooks"',
});

type SlackAdapter = NonNullable<HttpServerOptions['slack']>;

function askSlack(request: IncomingMessage, slack: SlackAdapter, { limits, slackBudget }: Inside): Promise<Answer> {
  const { headers } = request;
  return withBody(request, { mostBytes: limits.slackBytes, budget: slackBudget }, (body) => slack({ headers, body }));
}

async function ready({ readiness, limits }: Inside): Promise<Answer> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, limits.readinessMs, null).unref());
  const parts = await Promise.race([readiness().catch(() => null), late]);
  const isReady = parts !== null && Object.values(parts).every((works) => works);
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', ...(parts && { parts }) });
}

/** The content type of https://prometheus.io/docs/instrumenting/exposition_formats/ */
async function scrape({ metrics }: Inside): Promise<Answer> {
  return { status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body: await metrics() };
}

/** A sender that went away is no fault of ours. */
function isGone(request: IncomingMessage): boolean {
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
