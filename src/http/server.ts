import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AskAnswer, AskRoute, AskRoutes } from '../crew/asks/routes.ts';
import type { WebhookAnswer } from '../crew/webhooks/context.ts';
import type { WebhookRoute, Webhooks } from '../crew/webhooks/routes.ts';
import type { StepUpPage, StepUpPages } from '../step-up/routes.ts';
import { type Answer, json, refusal, send } from './answer.ts';
import { BodyReader } from './body.ts';

// The bot's HTTP server: its routes, and the limits for connections and bodies.

export interface HttpServer {
  /** Listens on all addresses or one. Resolves to the port, which matters for port 0. */
  listen(port: number, host?: string): Promise<number>;
  /** Accepts no further connections, finishes requests in progress or on their way, and cuts off the rest in time. */
  close(withinMs: number): Promise<void>;
}

export interface HttpServerOptions extends RouteHandlers {
  log: Logger;
  /** Called for each request that fails, for metrics. */
  onFault?: (error: unknown) => void;
  limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  /** Size of the largest body, and memory for all of them. */
  webhookBytes: number;
  webhookHeldBytes: number;
  signedHeldBytes: number;
  slackBytes: number;
  slackHeldBytes: number;
  /** Time limits for the headers, for signed bodies, for Slack's bodies, and for a whole request. */
  headersMs: number;
  signedBodyMs: number;
  slackBodyMs: number;
  requestMs: number;
  readinessMs: number;
  connections: number;
}

const LIMITS: HttpLimits = {
  webhookBytes: 20 * 1_048_576,
  webhookHeldBytes: 256 * 1_048_576,
  signedHeldBytes: 64 * 1_048_576,
  // A modal of 250 KB, the largest that Slack allows, comes back in a form, which may take three times as much.
  slackBytes: 1_048_576,
  slackHeldBytes: 64 * 1_048_576,
  headersMs: 10_000,
  // Flows give up after half a minute.
  signedBodyMs: 30_000,
  // Slack gives up after three seconds.
  slackBodyMs: 3_000,
  requestMs: 60_000,
  readinessMs: 3_000,
  connections: 2_000,
};

/** Longer than the idle time of common load balancers (60 s), which otherwise might use a connection that we have just closed. */
const KEEP_ALIVE_MS = 65_000;

/** A request may be on its way over an idle connection. Its answer says that the connection ends. */
const LAST_REQUESTS_MS = 100;

/** The bot's one HTTP server, for webhooks, health, metrics, and Slack in HTTP mode. */
export function createHttpServer({ log, onFault = () => {}, ...options }: HttpServerOptions): HttpServer {
  const limits = { ...LIMITS, ...options.limits };
  const { headersMs, requestMs, readinessMs } = limits;
  const { webhookBytes, webhookHeldBytes, signedHeldBytes, signedBodyMs, slackBytes, slackHeldBytes, slackBodyMs } =
    limits;
  const routeLimits = {
    readinessMs,
    webhookBodies: new BodyReader({ heldBytes: webhookHeldBytes, mostBytes: webhookBytes, withinMs: requestMs }),
    signedBodies: new BodyReader({ heldBytes: signedHeldBytes, mostBytes: webhookBytes, withinMs: signedBodyMs }),
    slackBodies: new BodyReader({ heldBytes: slackHeldBytes, mostBytes: slackBytes, withinMs: slackBodyMs }),
  };
  // Node.js cuts off a slow request without an answer, so the reader of its body, which begins after the headers, answers before.
  const requestTimeout = headersMs + requestMs;
  const timing = { headersTimeout: headersMs, requestTimeout, keepAliveTimeout: KEEP_ALIVE_MS };
  const checking = { connectionsCheckingInterval: Math.min(5_000, headersMs) };
  const server = createServer({ ...timing, ...checking }, (request, response) => {
    const answerWith = (answer: Answer) => {
      // Otherwise a keep-alive client would block the shutdown.
      if (!server.listening) response.setHeader('connection', 'close');
      send(request, response, answer);
    };
    handle(request, options, routeLimits).then(answerWith, (error) => {
      // A sender that went away isn't our fault.
      if (request.destroyed && !request.complete) return;
      onFault(error);
      log.error({ err: error, method: request.method }, 'a request failed');
      answerWith(refusal(500, 'Something went wrong here.'));
    });
  });
  limitConnections(server, limits.connections);
  return { listen: (port, host) => listen(server, port, host), close: (withinMs) => close(server, withinMs) };
}

/**
 * Ends, once there are too many connections, the one that has kept us waiting the longest: for headers, a body, or its next request.
 * Node.js would turn away the new one, so that idle ones could keep everybody out.
 */
function limitConnections(server: Server, most: number): void {
  /** The requests in progress by their connections, the longest wait first. */
  const connections = new Map<Socket, IncomingMessage | null>();
  const renew = (socket: Socket, request: IncomingMessage | null) => {
    if (connections.delete(socket)) connections.set(socket, request);
  };
  server.on('connection', (socket) => {
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
    if (connections.size <= most) return;
    const [longest] = Array.from(connections).find(([, request]) => !request?.complete) ?? [socket];
    longest.destroy();
  });
  server.on('request', (request, response) => {
    renew(request.socket, request);
    response.once('close', () => renew(request.socket, null));
  });
}

async function handle(request: IncomingMessage, handlers: RouteHandlers, limits: RouteLimits): Promise<Answer> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const route = findRoute(path, handlers, limits);
  if (!route) return refusal(404, 'There is nothing here.');
  if (route.methods.includes(request.method ?? '')) return route.handle(request);
  return refusal(405, 'Not with this method.', { allow: route.methods.join(', ') });
}

async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  server.listen({ port, host });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function close(server: Server, withinMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
  // Unlike `close` of an HTTP server, this leaves idle connections open.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([closed, pause(LAST_REQUESTS_MS)]);
  server.close();
  await closed;
  clearTimeout(deadline);
}

interface SlackRoute {
  /** Returns the answer to a request whose headers show that it isn't Slack's; null if only its body can tell. */
  refuse(headers: IncomingHttpHeaders): Answer | null;
  /** Takes the unchanged body. */
  receive(request: { headers: IncomingHttpHeaders; body: Buffer }): Promise<Answer>;
}

interface Readiness {
  version: string;
  /** True for each part that works, by its name. */
  parts: Record<string, boolean>;
  /** The reason why a part doesn't work, by its name, if a person has to do something about it. */
  reasons?: Record<string, string>;
}

interface RouteHandlers {
  webhooks: Webhooks;
  asks?: AskRoutes;
  /** Set if approving may take a sign-in. */
  stepUp?: StepUpPages;
  /** Set in HTTP mode. */
  slack?: SlackRoute;
  readiness: () => Promise<Readiness>;
  /** Returns the metrics in Prometheus' text format. */
  metrics: () => Promise<string>;
}

interface RouteLimits {
  readinessMs: number;
  /** Separate readers, so that none crowds out another: anyone can make up headers like Slack's or a signing webhook's. */
  webhookBodies: BodyReader;
  signedBodies: BodyReader;
  slackBodies: BodyReader;
}

interface Route {
  methods: string[];
  handle: (request: IncomingMessage) => Promise<Answer>;
}

const READ = ['GET', 'HEAD'];

/** @param path without the query */
function findRoute(path: string, handlers: RouteHandlers, limits: RouteLimits): Route | null {
  const { webhooks, asks, stepUp, slack, readiness, metrics } = handlers;
  switch (path) {
    case '/healthz':
      return { methods: READ, handle: async () => json(200, { status: 'alive' }) };
    case '/readyz':
      return { methods: READ, handle: () => answerReadiness(readiness, limits.readinessMs) };
    case '/metrics':
      return { methods: READ, handle: async () => ({ status: 200, contentType: METRICS_TYPE, body: await metrics() }) };
    case '/slack/events':
      return slack ? { methods: ['POST'], handle: (request) => passToSlack(request, slack, limits) } : null;
  }
  const segments = segmentsOf(path);
  const page = segments && stepUp?.find(segments);
  if (page) return { methods: READ, handle: (request) => answerPage(request, page) };
  const webhook = segments && webhooks.find(segments);
  if (webhook) return { methods: ['POST'], handle: (request) => passToWebhook(request, webhook, limits) };
  const ask = segments && asks?.find(segments);
  return ask ? { methods: [...ask.methods], handle: (request) => passToAsks(request, ask, limits) } : null;
}

async function answerReadiness(readiness: RouteHandlers['readiness'], withinMs: number): Promise<Answer> {
  const late = pause(withinMs, null, { ref: false });
  const health = await Promise.race([readiness().catch(() => null), late]);
  const isReady = health !== null && Object.values(health.parts).every((works) => works);
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', ...health });
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

async function passToSlack(request: IncomingMessage, slack: SlackRoute, { slackBodies }: RouteLimits): Promise<Answer> {
  const { headers } = request;
  return slack.refuse(headers) ?? slackBodies.withBody(request, (body) => slack.receive({ headers, body }));
}

function answerPage(request: IncomingMessage, page: StepUpPage): Promise<Answer> {
  const { cookie: cookies, 'accept-language': acceptLanguage } = request.headers;
  return page({ query: queryOf(request), cookies, acceptLanguage });
}

/** Returns the query without the question mark. */
function queryOf({ url = '' }: IncomingMessage): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
}

/** Checks the credentials before reading a single byte of the body; for a signed body, that there is a signature. */
async function passToWebhook(request: IncomingMessage, webhook: WebhookRoute, limits: RouteLimits): Promise<Answer> {
  const receive = webhook.authenticate((name) => headerOf(request, name));
  if (!receive) return UNAUTHORIZED;
  const bodies = webhook.proof === 'signature' ? limits.signedBodies : limits.webhookBodies;
  return bodies.withBody(request, async (body) => {
    const answer = await receive(body);
    return answer ? jsonOf(answer) : UNAUTHORIZED;
  });
}

/** Checks the credentials before reading a single byte of the body. A `GET` may wait for its answer. */
async function passToAsks(request: IncomingMessage, route: AskRoute, limits: RouteLimits): Promise<Answer> {
  const { method = '', socket } = request;
  const receive = route.authenticate(method, headerOf(request, 'authorization'));
  if (!receive) return UNAUTHORIZED;
  if (method === 'POST')
    return limits.webhookBodies.withBody(request, async (body) => jsonOf(await receive({ ...NOTHING_SENT, body })));
  const gone = new AbortController();
  const leave = () => gone.abort();
  socket.once('close', leave);
  return receive({ ...NOTHING_SENT, query: queryOf(request), gone: gone.signal })
    .then(jsonOf)
    .finally(() => socket.off('close', leave));
}

const NOTHING_SENT = { query: '', body: Buffer.alloc(0), gone: new AbortController().signal };

function jsonOf({ status, body, retryAfterS }: WebhookAnswer | AskAnswer): Answer {
  return { ...json(status, body), ...(retryAfterS !== undefined && { headers: { 'retry-after': `${retryAfterS}` } }) };
}

const UNAUTHORIZED = refusal(401, 'The credentials are missing or wrong.', {
  'www-authenticate': 'Bearer, Basic realm="webhooks"',
});

/** Returns undefined if there are several such headers: a proxy may have checked another one than we would. */
function headerOf({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const [only, ...others] = headersDistinct[name] ?? [];
  return others.length === 0 ? only : undefined;
}

/** Returns the decoded segments of a path, without resolving dots or slashes; null if they can't be decoded. */
function segmentsOf(path: string): string[] | null {
  if (!path.startsWith('/')) return null;
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}
