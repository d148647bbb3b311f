import type { IncomingMessage } from 'node:http';
import type { CrewRequest, CrewRoute } from './routes.ts';

const CREW_ROUTES: readonly CrewRoute[] = ['inputs', 'kickoff', 'status', 'resume', 'executions'];
const CREW_PATH = /^\/crews\/(?<crew>[a-z0-9-]+)\/(?<route>[a-z]+)(?:\/(?<id>[^/]+))?$/;

/** Which API a path belongs to. */
type Target =
  | ({ readonly api: 'crew' } & Pick<CrewRequest, 'crew' | 'route' | 'id'>)
  | { readonly api: 'sandbox'; readonly path: string }
  | { readonly api: 'none' };

export function parseTarget(path: string): Target {
  const sandbox = /^\/_sandbox(\/.*)$/.exec(path)?.[1];
  if (sandbox !== undefined) return { api: 'sandbox', path: sandbox };
  const { crew, route, id } = CREW_PATH.exec(path)?.groups ?? {};
  const known = CREW_ROUTES.find((one) => one === route);
  if (crew === undefined || known === undefined || takesId(known) !== (id !== undefined)) return { api: 'none' };
  return { api: 'crew', crew, route: known, id: decoded(id ?? '') };
}

function takesId(route: CrewRoute): boolean {
  return route === 'status' || route === 'executions';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Repeated headers are joined with commas. */
export function readHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** The whole body as UTF-8 text; undefined if it exceeds `limitBytes`, in which case the rest is left unread. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > limitBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
