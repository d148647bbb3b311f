import type { IncomingMessage } from 'node:http';
import type { CrewRequest, CrewRoute } from './routes.ts';

const CREW_ROUTES: readonly CrewRoute[] = ['inputs', 'kickoff', 'status', 'resume', 'executions'];
const CREW_PATH = /^\/crews\/(?<crew>[a-z0-9-]+)\/(?<route>[a-z]+)(?:\/(?<id>[^/]+))?$/;

/** Which door a path leads to. */
export type Target =
  | ({ readonly door: 'crew' } & Pick<CrewRequest, 'crew' | 'route' | 'id'>)
  | { readonly door: 'sandbox'; readonly path: string }
  | { readonly door: 'none' };

export function targetOf(path: string): Target {
  const sandbox = /^\/_sandbox(\/.*)$/.exec(path)?.[1];
  if (sandbox !== undefined) return { door: 'sandbox', path: sandbox };
  const { crew, route, id } = CREW_PATH.exec(path)?.groups ?? {};
  const known = CREW_ROUTES.find((one) => one === route);
  if (crew === undefined || known === undefined || takesId(known) !== (id !== undefined)) return { door: 'none' };
  return { door: 'crew', crew, route: known, id: decoded(id ?? '') };
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

/** The headers of a request, each as one text. */
export function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}
