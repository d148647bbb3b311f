import { fileURLToPath } from 'node:url';

// Whoever has this checkout has the key, so nothing but a test may trust it. The authority's own key is gone, and the
// certificates outlive us: they end in 2126.
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** For `NODE_EXTRA_CA_CERTS`, as an operator whose Redis has a certificate of the company's own authority. */
export const TEST_AUTHORITY = pathOf('ca.pem');

/** Of a redis-server at 127.0.0.1 or localhost that takes encrypted connections only, on its port as between servers. */
export function tlsSettings(port: number): string[] {
  const ports = ['--port', '0', '--tls-port', String(port), '--tls-replication', 'yes', '--tls-cluster', 'yes'];
  const files = ['--tls-cert-file', pathOf('redis.pem'), '--tls-key-file', pathOf('redis.key')];
  return [...ports, ...files, '--tls-ca-cert-file', TEST_AUTHORITY, '--tls-auth-clients', 'no'];
}
