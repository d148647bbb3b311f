import { ok, type Result, refuse } from '../core/values/result.ts';

// The forms of REDIS_URL.

export interface Node {
  host: string;
  port: number;
}

/** Returns the name of a server, for messages and comparisons. */
export function nameOf({ host, port }: Node): string {
  return `${host}:${port}`;
}

interface Access {
  username: string | null;
  password: string | null;
}

/** A parsed `REDIS_URL`. */
export type RedisAddress = Access &
  (
    | { kind: 'single'; node: Node; db: number; encryption: Encryption }
    | { kind: 'socket'; path: string; db: number }
    | { kind: 'cluster'; nodes: Node[]; encryption: Encryption }
    | {
        kind: 'sentinel';
        sentinels: Node[];
        name: string;
        sentinelPassword: string | null;
        db: number;
        encryption: Encryption;
      }
  );

export type Encryption = 'plain' | 'tls';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26379;

/**
 * Parses `redis://[user:password@]host[:port][/db]` (`rediss://` with TLS), a comma-separated list of them for a Cluster,
 * `redis+sentinel://[user:password@]host:port,…/name[/db][?sentinel_password=…]` or `unix://[:password@]/path[?db=n]`.
 * The refusal is a predicate without any part of the address, which may hold a password.
 */
export function parseRedisUrl(url: string): Result<RedisAddress, string> {
  const parts = /^([a-z+]+):\/\/(?:([^@]*)@)?([^/?@]*)(\/[^?]*)?(?:\?(.*))?$/i.exec(onlyFirstScheme(url.trim()));
  if (!parts) return refuse("isn't an address such as redis://localhost:6379");
  const [, scheme = '', credentials = '', hosts = '', path = '', query = ''] = parts;
  const access = parseAccess(credentials);
  if (!access) return refuse('has a broken %-code in the user name or password');
  return parseByScheme(scheme.toLowerCase(), { access, hosts, path, query: new URLSearchParams(query) });
}

interface Parts {
  access: Access;
  hosts: string;
  path: string;
  query: URLSearchParams;
}

function parseByScheme(scheme: string, parts: Parts): Result<RedisAddress, string> {
  switch (scheme) {
    case 'redis':
    case 'rediss':
      return parseServers(parts, scheme === 'redis' ? 'plain' : 'tls');
    case 'redis+sentinel':
    case 'rediss+sentinel':
      return parseSentinels(parts, scheme === 'redis+sentinel' ? 'plain' : 'tls');
    case 'unix':
    case 'redis+unix':
      return parseSocket(parts);
    default:
      return refuse('must begin with redis://, rediss://, redis+sentinel://, rediss+sentinel:// or unix://');
  }
}

function parseServers({ access, hosts, path }: Parts, encryption: Encryption): Result<RedisAddress, string> {
  const nodes = parseNodes(hosts, REDIS_PORT);
  const db = parseDb(path.slice(1));
  const [node] = nodes ?? [];
  if (!nodes || !node) return refuse("has a host that isn't of the form host or host:port");
  if (db === null) return refuse('must end with the host or a database number such as /0');
  if (!hosts.includes(',')) return ok({ kind: 'single', node, db, encryption, ...access });
  if (db !== 0) return refuse('names several nodes, but a Redis Cluster only has database 0');
  return ok({ kind: 'cluster', nodes, encryption, ...access });
}

function parseSentinels({ access, hosts, path, query }: Parts, encryption: Encryption): Result<RedisAddress, string> {
  const sentinels = parseNodes(hosts, SENTINEL_PORT);
  const [name = '', database = '', ...rest] = path.slice(1).split('/');
  const db = parseDb(database);
  if (!sentinels) return refuse("has a host that isn't of the form host or host:port");
  if (name === '') return refuse('must name the master after the hosts, such as /mymaster');
  if (db === null || rest.length > 0) return refuse('must end with the name of the master or a database number');
  const sentinelPassword = query.get('sentinel_password');
  return ok({ kind: 'sentinel', sentinels, name, sentinelPassword, db, encryption, ...access });
}

function parseSocket({ access, hosts, path, query }: Parts): Result<RedisAddress, string> {
  const db = parseDb(query.get('db') ?? '');
  if (hosts !== '' || path.length < 2) return refuse('must be unix:// and the absolute path of a socket');
  if (db === null) return refuse("has a db that isn't a number");
  return ok({ kind: 'socket', path, db, ...access });
}

/** Removes schemes and credentials after the first: each node of a Cluster may be a whole URL, but those of the first one apply to all. */
function onlyFirstScheme(url: string): string {
  return url.replace(/,\s*(rediss?:\/\/([^@,]*@)?)?/gi, ',');
}

function parseAccess(credentials: string): Access | null {
  const colon = credentials.indexOf(':');
  const [name, password] =
    colon === -1 ? [credentials, ''] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
  try {
    return { username: decodeURIComponent(name) || null, password: decodeURIComponent(password) || null };
  } catch {
    return null;
  }
}

function parseNodes(hosts: string, standardPort: number): Node[] | null {
  const nodes = hosts
    .split(',')
    .filter((text) => text.trim() !== '')
    .map((text) => parseNode(text.trim(), standardPort));
  const valid = nodes.filter((node) => node !== null);
  return valid.length > 0 && valid.length === nodes.length ? valid : null;
}

function parseNode(text: string, standardPort: number): Node | null {
  const [, v6, name, port] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const host = v6 ?? name;
  const number = port === undefined ? standardPort : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}

function parseDb(text: string): number | null {
  if (text === '') return 0;
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}
