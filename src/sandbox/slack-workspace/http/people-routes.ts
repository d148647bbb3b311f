// The routes for the page, and the live updates that it gets.

import { isObject, parseJson, stringAt } from '../json.ts';
import { act } from '../people/act.ts';
import { upload } from '../people/composer.ts';
import { parseAction } from '../people/parse-action.ts';
import { publicMember, snapshotFor } from '../people/snapshot.ts';
import { inSession } from '../people/visible.ts';
import { HEARTBEAT_MS, type LiveUpdate, type SignInChoice } from '../people-api.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { latestTs } from '../state/identifiers.ts';
import { type Exchange, readBody, sendJson, sendText } from './request.ts';
import { sendFile } from './served-files.ts';

/** Serves the page's own API (see `people-api.ts`). Resolves to false if the path is not part of it. */
export async function handlePeopleRequest(workspace: Workspace, exchange: Exchange): Promise<boolean> {
  const { request, response, url } = exchange;
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /api/members') sendJson(response, 200, signInChoice(workspace));
  else if (route === 'GET /api/wire')
    sendJson(response, 200, workspace.wire.after(Number(url.searchParams.get('after') ?? 0)));
  else if (route === 'GET /api/reachable') sendJson(response, 200, await workspace.transport.probe());
  else if (route === 'GET /api/snapshot')
    asMember(workspace, exchange, (id) => sendJson(response, 200, snapshotFor(workspace, id)));
  else if (route === 'GET /api/live') asMember(workspace, exchange, (id) => streamLiveUpdates(workspace, exchange, id));
  else if (route === 'POST /api/act') await perform(workspace, exchange);
  else if (route === 'POST /api/controls') pressControl(workspace, exchange);
  else if (route === 'POST /api/uploads') await takeFile(workspace, exchange);
  else if (route.startsWith('GET /api/files/')) sendFile(workspace, exchange);
  else return false;
  return true;
}

function signInChoice({ state }: Workspace): SignInChoice {
  const people = state.members.filter(
    ({ kind, isDeactivated }) => kind !== 'app' && kind !== 'slackbot' && isDeactivated !== true,
  );
  return { team: state.team, members: people.map(publicMember) };
}

function asMember(workspace: Workspace, { response, url }: Exchange, then: (id: string) => void): void {
  const id = url.searchParams.get('as') ?? '';
  const isMember = workspace.state.members.some((member) => member.id === id);
  if (isMember) then(id);
  else sendText(response, 404, 'There is no such member.');
}

async function perform(workspace: Workspace, exchange: Exchange): Promise<void> {
  const body = parseJson((await readBody(exchange.request)).toString());
  const action = isObject(body) ? parseAction(body) : undefined;
  if (!action) return sendText(exchange.response, 400, `No such action: ${stringAt(body, 'type') ?? 'none'}.`);
  const id = exchange.url.searchParams.get('as') ?? '';
  if (!workspace.state.members.some((member) => member.id === id))
    return sendText(exchange.response, 404, 'There is no such member.');
  sendJson(exchange.response, 200, await act(workspace, id, action));
}

/** Pages learn over their live updates what came of it. */
function pressControl({ pageControls }: Workspace, { response, url }: Exchange): void {
  const pressed = pageControls.press(url.searchParams.get('id') ?? '');
  if (pressed) sendText(response, 202, 'Pressed.');
  else sendText(response, 404, 'There is no such button.');
}

async function takeFile(workspace: Workspace, exchange: Exchange): Promise<void> {
  const bytes = await readBody(exchange.request);
  const name = exchange.url.searchParams.get('name') ?? '';
  if (name === '') return sendText(exchange.response, 400, 'The file has no name.');
  asMember(workspace, exchange, (userId) =>
    sendJson(exchange.response, 200, upload(workspace, { userId, name, bytes })),
  );
}

/** Changes within this time are sent as one snapshot. */
const DEBOUNCE_MS = 15;

/** Server-sent events: a full snapshot after each change, every wire log entry, the bar of controls, and a heartbeat. */
function streamLiveUpdates(workspace: Workspace, { response, url }: Exchange, memberId: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const push = (update: LiveUpdate) => response.write(`data: ${JSON.stringify(update)}\n\n`);
  const session = url.searchParams.get('session') ?? latestTs(workspace.state);
  const pushSnapshot = () => push({ type: 'snapshot', snapshot: inSession(snapshotFor(workspace, memberId), session) });
  let pending: NodeJS.Timeout | undefined;
  const stopChanges = workspace.onChange(() => {
    pending ??= setTimeout(() => {
      pending = undefined;
      pushSnapshot();
    }, DEBOUNCE_MS);
  });
  const stopWire = workspace.wire.subscribe((entry) => push({ type: 'wire', entry }));
  const pushControls = () => push({ type: 'controls', bar: workspace.pageControls.bar() });
  const stopControls = workspace.pageControls.onChange(pushControls);
  const heartbeat = setInterval(() => push({ type: 'heartbeat' }), HEARTBEAT_MS);
  response.on('close', () => {
    clearInterval(heartbeat);
    clearTimeout(pending);
    stopChanges();
    stopWire();
    stopControls();
  });
  push({ type: 'session', session });
  pushControls();
  pushSnapshot();
}
