import type { ServerResponse } from 'node:http';
import { deliverAgain } from '../delivery/deliver.ts';
import { isObject, type Json, parseJson, stringAt } from '../json.ts';
import type { Administration } from '../people/administer.ts';
import type { Workspace } from '../runtime/workspace.ts';
import { administer } from './administration-routes.ts';
import { parseFault } from './parse-fault.ts';
import { type Exchange, readBody, sendJson, sendText } from './request.ts';

/** Actions outside the workspace's own state, and those of its admins. */
export type AdminControls = {
  sockets: { warn(): void; refresh(): void; cut(): void };
  installAt(requestUrl: string): void;
  administration: Administration;
};

/**
 * `/_sandbox/…`, for tests in other processes. Off by default.
 *
 * | request | does |
 * |---|---|
 * | `GET calls?after=SEQ` | lists all calls, like `/api/wire` |
 * | `POST faults` | adds a fault (`Fault` as JSON); `DELETE faults` removes all |
 * | `POST redeliver` `{"name":"block_actions"}` | redelivers the latest one |
 * | `POST sockets/warn`, `POST sockets/refresh`, `POST sockets/cut` | warns that all connections end; asks for new ones; breaks all |
 * | `POST install` `{"requestUrl":"http://…"}` | sets the app's request URL |
 * | `POST people` `{"name":"zoe","realName":"Zoe Kern","account":"guest","channels":["general"]}` | invites a person |
 * | `PUT people/NAME` `isDeactivated`, `kind` (`member`, `guest`, `channel-guest`), `role` (`member`, `admin`, `owner`), `timeZone`, `locale` or `presence` (`auto`, `away`) | changes a person |
 * | `POST groups` `{"name":"Leads","handle":"leads","members":["maria"]}` | creates a user group |
 * | `PUT groups/NAME` `members`, `name`, `handle` or `isDisabled` | changes a user group |
 * | `POST channels` `{"name":"plans","isPrivate":false}`; `PUT channels/NAME` `name` or `isArchived` | creates and changes channels |
 * | `PUT features` `{"charts":"off"}` | takes charts away, or gives them back; likewise `editWindowMs` (a number or null) for how long messages can be edited, and `botToken` (`valid`, `token_revoked`, `account_inactive`) |
 * | `PUT channels/NAME/members/NAME`, `DELETE` | adds a person to a channel; removes them |
 */
export async function handleAdminRequest(
  workspace: Workspace,
  controls: AdminControls,
  exchange: Exchange,
): Promise<void> {
  const { request, response, url } = exchange;
  const body = parseJson((await readBody(request)).toString());
  const done = () => sendJson(response, 200, { ok: true });
  const route = `${request.method} ${url.pathname.replace('/_sandbox/', '')}`;
  switch (route) {
    case 'GET calls':
      return sendJson(response, 200, workspace.wire.after(Number(url.searchParams.get('after') ?? 0)));
    case 'POST faults': {
      const fault = isObject(body) ? parseFault(body) : undefined;
      if (!fault) return sendText(response, 400, 'Not a valid fault.');
      workspace.faults.add(fault);
      return done();
    }
    case 'DELETE faults':
      workspace.faults.clear();
      return done();
    case 'POST redeliver':
      return sendJson(response, 200, (await deliverAgain(workspace, stringAt(body, 'name') ?? '')) ?? { ok: false });
    case 'POST sockets/warn':
      controls.sockets.warn();
      return done();
    case 'POST sockets/refresh':
      controls.sockets.refresh();
      return done();
    case 'POST sockets/cut':
      controls.sockets.cut();
      return done();
    case 'POST install':
      controls.installAt(stringAt(body, 'requestUrl') ?? '');
      return done();
    default:
      return change(controls.administration, route, exchange.response, body);
  }
}

function change(administration: Administration, route: string, response: ServerResponse, body: Json | undefined): void {
  try {
    if (administer(administration, route, body)) sendJson(response, 200, { ok: true });
    else sendText(response, 404, 'Not found.');
  } catch (error) {
    sendText(response, 400, String(error));
  }
}
