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

export interface HttpServer {
  /** Listens on all addresses or one; resolves to the port, which matters to those who asked for any (0). */
  listen(port: number, host?: string): Promise<number>;
  /** Accepts no connection, and finishes the requests in progress and those on their way; cuts off what isn't finished in time. */
  close(withinMs: number): Promise<void>;
}

export interface HttpServerOptions extends RouteHandlers {
  log: Logger;
  /** Called for each request that fails, for metrics. */
  onFault?: (error: unknown) => void;
  limits?: Partial<HttpLimits>;
}

export interface HttpLimits {
  /** The largest body, and the memory for all of them. */
  webhookBytes: number;
  webhookHeldBytes: number;
  signedHeldBytes: number;
  slackBytes: number;
  slackHeldBytes: number;
  /** For the headers, for bodies that are signed, for Slack's, and for a whole request. */
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
  // After half a minute, flows have given up.
  signedBodyMs: 30_000,
  // After three seconds, Slack has given up.
  slackBodyMs: 3_000,
  requestMs: 60_000,
  readinessMs: 3_000,
  connections: 2_000,
};

/** Longer than the idle time of common load balancers (60 s). Otherwise they might use a connection we have just closed. */
const KEEP_ALIVE_MS = 65_000;

/** A request may be on its way over a connection that is idle here. Its sender learns from the answer that the connection ends. */
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
  // Node.js cuts a slow request off without a sentence: the reader of its body, which begins after the headers, says one before.
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
 * Once there are too many connections, the one ends whose client has kept us waiting the longest: for headers, a body, or its
 * next request. Node.js would turn away the new one, so that idle ones could keep everybody out.
 */
function limitConnections(server: Server, most: number): void {
  /** The requests in progress; what we have waited for the longest comes first. */
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
  /** The answer to a request whose headers show that it isn't Slack's; null if its body has to be read to tell. */
  refuse(headers: IncomingHttpHeaders): Answer | null;
  /** Takes the body as it arrived. */
  receive(request: { headers: IncomingHttpHeaders; body: Buffer }): Promise<Answer>;
}

interface Readiness {
  version: string;
  /** Whether each part works, by its name. */
  parts: Record<string, boolean>;
  /** Why a part doesn't work, by its name, where a person has to do something about it. */
  reasons?: Record<string, string>;
}

interface RouteHandlers {
  webhooks: Webhooks;
  asks?: AskRoutes;
  /** Only where approving may take a sign-in. */
  stepUp?: StepUpPages;
  /** Only in HTTP mode. */
  slack?: SlackRoute;
  readiness: () => Promise<Readiness>;
  /** In the text format of Prometheus. */
  metrics: () => Promise<string>;
}

interface RouteLimits {
  readinessMs: number;
  /**
   * None crowds out another: anyone can make up headers that look like Slack's or those of a webhook that signs, but not a
   * webhook's credentials.
   */
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
  const found = await Promise.race([readiness().catch(() => null), late]);
  const isReady = found !== null && Object.values(found.parts).every((works) => works);
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', ...found });
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

/** Without the question mark. */
function queryOf({ url = '' }: IncomingMessage): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
}

/** Checks the credentials before reading a single byte of the body or, where the body is signed, that there is a signature. */
async function passToWebhook(request: IncomingMessage, webhook: WebhookRoute, limits: RouteLimits): Promise<Answer> {
  const receive = webhook.authenticate((name) => headerOf(request, name));
  if (!receive) return UNAUTHORIZED;
  const bodies = webhook.proof === 'signature' ? limits.signedBodies : limits.webhookBodies;
  return bodies.withBody(request, async (body) => {
    const answer = await receive(body);
    return answer ? jsonOf(answer) : UNAUTHORIZED;
  });
}

/** Checks the credentials before reading a single byte of the body. A caller without one may wait for its answer. */
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

/** None if there are several headers: a proxy on the way may have checked another one than we would. */
function headerOf({ headersDistinct }: IncomingMessage, name: string): string | undefined {
  const [only, ...others] = headersDistinct[name] ?? [];
  return others.length === 0 ? only : undefined;
}

/** The decoded segments of a path, without resolving dots or slashes; null if they can't be decoded. */
function segmentsOf(path: string): string[] | null {
  if (!path.startsWith('/')) return null;
  try {
    return path.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}
