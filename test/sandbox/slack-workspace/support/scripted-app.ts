import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isObject, type JsonObject, parseJson } from '../../../../src/sandbox/slack-workspace/json.ts';
import { startSlackWorkspace } from '../../../../src/sandbox/slack-workspace/start-slack-workspace.ts';
import type { WorkspaceOptions } from '../../../../src/sandbox/slack-workspace/workspace-options.ts';
import { shared } from '../../shared.ts';

/** Something that the workspace delivered over HTTP. */
export type Received = { path: string; headers: IncomingHttpHeaders; raw: string; payload: JsonObject };

/** What the app does with it: a body and a status (default an empty 200), perhaps late, or a broken connection. */
export type Reply = {
  status?: number;
  body?: string | JsonObject;
  delayMs?: number;
  headers?: Record<string, string>;
  breaks?: boolean;
};

export type ScriptedApp = {
  url: string;
  received: Received[];
  /** Decides from now on. */
  reply: (received: Received) => Reply | Promise<Reply>;
  close(): Promise<void>;
};

/** An app that does as told, on bare HTTP, so that rules can be seen without any library's help. */
export async function startScriptedApp(): Promise<ScriptedApp> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const received = { path: request.url ?? '', headers: request.headers, raw, payload: payloadOf(raw) };
    app.received.push(received);
    const { status = 200, body = '', delayMs = 0, headers = {}, breaks } = await app.reply(received);
    await pause(delayMs);
    if (breaks) return void request.socket.destroy();
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
      ...headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const app: ScriptedApp = {
    url: `http://127.0.0.1:${port}/slack/events`,
    received: [],
    reply: () => ({}),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return app;
}

function payloadOf(raw: string): JsonObject {
  const json = parseJson(raw);
  if (isObject(json)) return json;
  const form = Object.fromEntries(new URLSearchParams(raw));
  const interactive = parseJson(form.payload ?? '');
  return isObject(interactive) ? interactive : form;
}

export type ApiResult = { status: number; headers: Headers; body: JsonObject };

/** A workspace with a scripted app in it and a bare Web API client. */
export async function workspaceWithApp(options: WorkspaceOptions = {}) {
  const app = await startScriptedApp();
  const slack = await startSlackWorkspace(options);
  slack.installAt(app.url);
  /** Calls a method with a JSON body, as the bot or with another token. */
  async function call(method: string, args: JsonObject = {}, token = slack.botToken): Promise<ApiResult> {
    const response = await fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(args),
    });
    return resultOf(response);
  }
  /** The same with a form, which every method takes. */
  async function callForm(
    method: string,
    args: Record<string, string> = {},
    token = slack.botToken,
  ): Promise<ApiResult> {
    const response = await fetch(`${slack.apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(args).toString(),
    });
    return resultOf(response);
  }
  const close = async () => {
    await slack.close();
    await app.close();
  };
  return { slack, app, call, callForm, close };
}

export type Playground = Awaited<ReturnType<typeof workspaceWithApp>>;

/** Returns one workspace with its app for all tests of a file. */
export function sharedWorkspace(options: WorkspaceOptions = {}): Playground {
  return shared(
    () => workspaceWithApp(options),
    (playground) => playground.close(),
  );
}

async function resultOf(response: Response): Promise<ApiResult> {
  const body = parseJson(await response.text());
  return { status: response.status, headers: response.headers, body: isObject(body) ? body : {} };
}
