import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookRoute, Webhooks } from '../crew/webhooks/routes.ts';
import { type Answer, type BodyReader, json, refusal } from './body.ts';

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

export interface RouteHandlers {
  webhooks: Webhooks;
  /** Only in HTTP mode. */
  slack?: SlackRoute;
  readiness: () => Promise<Readiness>;
  /** In the text format of Prometheus. */
  metrics: () => Promise<string>;
}

export interface RouteLimits {
  readinessMs: number;
  /** Neither crowds out the other: anyone can make up headers that look like Slack's, but not a webhook's credentials. */
  webhookBodies: BodyReader;
  slackBodies: BodyReader;
}

interface Route {
  methods: string[];
  handle: (request: IncomingMessage) => Promise<Answer>;
}

const READ = ['GET', 'HEAD'];

/** @param path without the query */
export function findRoute(path: string, handlers: RouteHandlers, limits: RouteLimits): Route | null {
  const { webhooks, slack, readiness, metrics } = handlers;
  switch (path) {
    case '/healthz':
      return { methods: READ, handle: async () => json(200, { status: 'alive' }) };
    case '/readyz':
      return { methods: READ, handle: () => answerReadiness(readiness, limits.readinessMs) };
    case '/metrics':
      return { methods: READ, handle: () => answerMetrics(metrics) };
    case '/slack/events':
      return slack ? { methods: ['POST'], handle: (request) => passToSlack(request, slack, limits) } : null;
  }
  const segments = segmentsOf(path);
  const webhook = segments && webhooks.find(segments);
  return webhook && { methods: ['POST'], handle: (request) => passToWebhook(request, webhook, limits) };
}

async function answerReadiness(readiness: RouteHandlers['readiness'], withinMs: number): Promise<Answer> {
  const late = pause(withinMs, null, { ref: false });
  const found = await Promise.race([readiness().catch(() => null), late]);
  const isReady = found !== null && Object.values(found.parts).every((works) => works);
  return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', ...found });
}

/** The content type of https://prometheus.io/docs/instrumenting/exposition_formats/ */
async function answerMetrics(metrics: RouteHandlers['metrics']): Promise<Answer> {
  return { status: 200, contentType: 'text/plain; version=0.0.4; charset=utf-8', body: await metrics() };
}

async function passToSlack(request: IncomingMessage, slack: SlackRoute, { slackBodies }: RouteLimits): Promise<Answer> {
  const { headers } = request;
  return slack.refuse(headers) ?? slackBodies.withBody(request, (body) => slack.receive({ headers, body }));
}

/** Checks the credentials before reading a single byte of the body. */
async function passToWebhook(request: IncomingMessage, webhook: WebhookRoute, limits: RouteLimits): Promise<Answer> {
  const receive = webhook.authenticate(authorizationOf(request));
  if (!receive) return UNAUTHORIZED;
  return limits.webhookBodies.withBody(request, async (body) => {
    const answer = await receive(body);
    const { status, body: said, retryAfterS } = answer;
    return {
      ...json(status, said),
      ...(retryAfterS !== undefined && { headers: { 'retry-after': `${retryAfterS}` } }),
    };
  });
}

const UNAUTHORIZED = refusal(401, 'The credentials are missing or wrong.', {
  'www-authenticate': 'Bearer, Basic realm="webhooks"',
});

/** None if there are several headers: a proxy on the way may have checked another one than we would. */
function authorizationOf({ headersDistinct }: IncomingMessage): string | undefined {
  const [only, ...others] = headersDistinct.authorization ?? [];
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
