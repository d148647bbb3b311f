// Reads requests strictly: the target, the headers, the body.
import type { IncomingMessage } from 'node:http';
import { CALLBACK } from '../webhooks/dashboard.ts';
import { type Outcome, ok, refuse } from './answer.ts';
import type { CrewRequest, CrewRoute } from './routes.ts';

const CREW_ROUTES: readonly CrewRoute[] = ['inputs', 'kickoff', 'status', 'resume', 'executions'];

/** Which API a request target belongs to. `path` has neither origin nor query. */
type Target = { readonly path: string } & (
  | ({ readonly api: 'crew' } & Pick<CrewRequest, 'crew' | 'route' | 'id' | 'responseToken'>)
  | { readonly api: 'sandbox'; readonly segments: readonly string[] }
  | { readonly api: 'description' | 'none' }
);

/**
 * Reads a request target, also in absolute form, whose authority is ignored:
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
export function parseTarget(target: string): Target {
  const [before = '', query = ''] = target.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  const path = before || '/';
  if (path === '/openapi.json') return { path, api: 'description' };
  const [api, ...segments] = decodedSegments(path);
  if (api === '_sandbox') return { path, api: 'sandbox', segments };
  const responseToken = new URLSearchParams(query).get('token') ?? '';
  const [crew, ...rest] = segments;
  const called = api === 'crews' && crew !== undefined ? routeOf(rest) : undefined;
  return crew && called ? { path, api: 'crew', crew, ...called, responseToken } : { path, api: 'none' };
}

function routeOf(segments: readonly string[]): Pick<CrewRequest, 'route' | 'id'> | undefined {
  const [route, id, ...rest] = segments;
  const [after, requestId = '', ...before] = [...segments].reverse();
  if (after === CALLBACK.after && before.reverse().join('/') === CALLBACK.before && requestId !== '')
    return { route: 'respond', id: requestId };
  const crewRoute = CREW_ROUTES.find((one) => one === route);
  if (crewRoute === undefined || rest.length > 0 || id === '' || takesId(crewRoute) !== (id !== undefined))
    return undefined;
  return { route: crewRoute, id: id ?? '' };
}

function takesId(route: CrewRoute): boolean {
  return route === 'status' || route === 'executions';
}

/** None if the path isn't percent-encoded UTF-8: there is nothing at such a path. */
function decodedSegments(path: string): string[] {
  try {
    return path.split('/').slice(1).map(decodeURIComponent);
  } catch {
    return [];
  }
}

/** Which of two was meant can't be told, and another server on the way may have taken the other one. */
const GIVEN_ONCE = ['host', 'authorization', 'content-type', 'idempotency-key'];

/**
 * The headers of a request; repeated ones are joined with commas. Refuses those that may be given only once:
 * https://www.rfc-editor.org/rfc/rfc9110#section-5.3, for `Host` https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
export function readHeaders({ headersDistinct }: IncomingMessage): Outcome<Record<string, string>> {
  const twice = GIVEN_ONCE.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) return refuse({ kind: 'malformed', message: `The header ${twice} is given twice.` });
  const entries = Object.entries(headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]);
  return ok(Object.fromEntries(entries));
}

const TOO_LARGE = refuse({ kind: 'too-large', message: 'The body is too large.' });
const COMPRESSED = refuse({ kind: 'compressed', message: 'The body has a Content-Encoding; send it without one.' });
const NOT_UTF8 = refuse({ kind: 'malformed', message: 'The body is not UTF-8.' });

/** The part of a body that is too large which is still read, so that its client can finish sending and read the answer. */
const MOST_IGNORED_BYTES = 32 * 1024 * 1024;

/**
 * The whole body as text, or why there is none. For a body that is too large this is known before the client has sent
 * it all; closing the connection then would make the client lose the answer, so the rest is taken and ignored, within
 * bounds: https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 * Rejects if the client breaks off.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Outcome<string>> {
  if (isDeclaredTooLarge(request, limitBytes)) {
    readOn(request, limitBytes);
    return Promise.resolve(TOO_LARGE);
  }
  const isCompressed = !/^(identity)?$/i.test(request.headers['content-encoding'] ?? '');
  return new Promise((resolve, reject) => {
    readOn(request, limitBytes, (body) =>
      resolve(body === undefined ? TOO_LARGE : isCompressed ? COMPRESSED : decoded(body)),
    );
    request.once('error', reject);
  });
}

/** Returns true if the `Content-Length` exceeds the limit. */
export function isDeclaredTooLarge({ headers }: IncomingMessage, limitBytes: number): boolean {
  return Number(headers['content-length'] ?? 0) > limitBytes;
}

/** Takes the body from the connection. `done` gets it when it is complete, or undefined once it exceeds the limit. */
function readOn(request: IncomingMessage, limitBytes: number, done?: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes) chunks.push(chunk);
    else {
      chunks.length = 0;
      done?.(undefined);
    }
    if (bytes > limitBytes + MOST_IGNORED_BYTES) request.socket.destroy();
  });
  request.once('end', () => done?.(Buffer.concat(chunks)));
}

/** Invalid bytes would be replaced otherwise, and something else executed than was sent. */
function decoded(body: Buffer): Outcome<string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return NOT_UTF8;
  }
}
