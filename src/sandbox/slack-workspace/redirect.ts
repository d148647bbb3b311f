// Loaded into every Node.js process below `slack-workspace run`: what it would send to Slack goes to the workspace instead.
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';

// biome-ignore lint/style/noProcessEnv: it is loaded by Node.js, and nobody could pass it on
const { SLACK_API_URL } = process.env;

// Every HTTP client of Node.js, fetch too, comes here for an https address.
if (SLACK_API_URL) redirect(new URL(SLACK_API_URL));

function redirect({ hostname, port }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const connectSecurely = tls.connect as (...args: unknown[]) => TLSSocket;
  Object.assign(tls, {
    connect(...args: unknown[]) {
      if (!args.some(isToSlack)) return connectSecurely(...args);
      const socket = connect({ host, port: Number(port) });
      const onConnect = args.find((arg) => typeof arg === 'function');
      if (onConnect) socket.once('secureConnect', () => onConnect());
      socket.once('connect', () => socket.emit('secureConnect'));
      return Object.assign(socket, { encrypted: true, authorized: true, alpnProtocol: false });
    },
  });
  syncBuiltinESMExports();
}

/** Returns true if an argument of `tls.connect` names a host of Slack's: the host itself, or options with it. */
function isToSlack(arg: unknown): boolean {
  if (typeof arg === 'string') return /^(?:[^/]+\.)?slack\.com$/i.test(arg);
  if (typeof arg !== 'object' || arg === null) return false;
  const { host, servername }: { host?: unknown; servername?: unknown } = arg;
  return [host, servername].some((name) => typeof name === 'string' && isToSlack(name));
}
