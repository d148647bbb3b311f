import { once } from 'node:events';
import type { Server } from 'node:http';
import { type Assembly, assembleWorkspace } from './assemble-workspace.ts';
import { createWorkspaceServer } from './http/workspace-server.ts';
import { createControls, type WorkspaceControls } from './workspace-controls.ts';
import type { WorkspaceOptions } from './workspace-options.ts';

export type SlackWorkspace = WorkspaceControls & {
  /** For the app's `SLACK_API_URL`; ends in `/api/`. */
  apiUrl: string;
  pageUrl: string;
  botToken: string;
  appToken: string;
  signingSecret: string;
  close(): Promise<void>;
};

/** Starts a workspace with one installed app. Resolves once it is listening. */
export async function startSlackWorkspace(options: WorkspaceOptions = {}): Promise<SlackWorkspace> {
  const host = options.host ?? '127.0.0.1';
  let origin = options.origin ?? '';
  const assembly = assembleWorkspace(options, () => origin);
  const controls = createControls(assembly);
  const { installAt, sockets, admin } = controls;
  const server = createWorkspaceServer({
    workspace: assembly.workspace,
    sockets: assembly.sockets,
    pageDir: options.pageDir,
    host,
    admin: options.admin ? { installAt, sockets, administration: admin } : undefined,
  });
  const port = await listen(server, options.port ?? 0, host);
  const address = `http://${host}:${port}`;
  origin = options.origin ?? address;
  const { botToken, appToken, signingSecret } = assembly.workspace.app;
  const addresses = { apiUrl: `${address}/api/`, pageUrl: `${origin}/`, botToken, appToken, signingSecret };
  return { ...addresses, ...controls, close: () => close(server, assembly) };
}

async function listen(server: Server, port: number, host: string): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

async function close(server: Server, { sockets, flush }: Assembly): Promise<void> {
  await sockets?.end();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  flush();
}
