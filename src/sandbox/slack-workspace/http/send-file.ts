import { visibleFile } from '../people/visible.ts';
import type { Workspace } from '../runtime/workspace.ts';
import type { StoredFile } from '../state/workspace-state.ts';
import { bearerToken, type Exchange, sendText } from './request.ts';

/** What Slack answers to an app that may not read a file. https://github.com/nanocoai/nanoclaw/issues/2457 */
const SIGN_IN = '<!doctype html><title>Sign in | Slack</title>';

/** Sends a file to a member who can see it, or to the app. https://docs.slack.dev/reference/objects/file-object#authentication */
export function sendFile(workspace: Workspace, exchange: Exchange): void {
  const { request, response, url } = exchange;
  const token = bearerToken(request);
  const fileId = url.pathname.split('/').at(-1) ?? '';
  const { app, state } = workspace;
  if (token === undefined) sendIfThere(exchange, visibleFile(state, url.searchParams.get('as') ?? '', fileId));
  else if (token !== app.botToken || !app.scopes.includes('files:read')) sendText(response, 200, SIGN_IN, 'text/html');
  else
    sendIfThere(
      exchange,
      state.files.find(({ id }) => id === fileId),
    );
}

/** Only images and plain text open in the browser: what is uploaded must not run as a page. */
function sendIfThere({ response, url }: Exchange, file: StoredFile | undefined): void {
  if (!file) {
    sendText(response, 404, 'There is no such file here.');
    return;
  }
  const shownAs = /^image\/(png|jpeg|gif)$/.test(file.mimetype) ? file.mimetype : 'text/plain; charset=utf-8';
  const disposition = url.searchParams.has('download') ? 'attachment' : 'inline';
  response.writeHead(200, {
    'content-type': shownAs,
    'x-content-type-options': 'nosniff',
    'content-disposition': `${disposition}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
  response.end(Buffer.from(file.contentBase64 ?? '', 'base64'));
}
