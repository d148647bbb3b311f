import type { CrewRequest, CrewRoute } from './routes.ts';

const CREW_ROUTES: readonly CrewRoute[] = ['inputs', 'kickoff', 'status', 'resume', 'executions'];

/** Which API a request target belongs to. `path` has neither origin nor query. */
type Target = { readonly path: string } & (
  | ({ readonly api: 'crew' } & Pick<CrewRequest, 'crew' | 'route' | 'id'>)
  | { readonly api: 'sandbox'; readonly segments: readonly string[] }
  | { readonly api: 'none' }
);

/**
 * Reads a request target, also in absolute form, whose authority is ignored:
 * https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2
 */
export function parseTarget(target: string): Target {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] || '/';
  const [api, ...segments] = decodedSegments(path);
  if (api === '_sandbox') return { path, api: 'sandbox', segments };
  const [crew, route, id, ...rest] = segments;
  const known = CREW_ROUTES.find((one) => one === route);
  const isCrew = api === 'crews' && crew !== undefined && rest.length === 0;
  if (!isCrew || known === undefined || id === '' || takesId(known) !== (id !== undefined))
    return { path, api: 'none' };
  return { path, api: 'crew', crew, route: known, id: id ?? '' };
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
