import { createHmac, randomUUID } from 'node:crypto';
import { parseJson, stringAt } from '../json.ts';
import { nowSeconds, type Workspace } from '../runtime/workspace.ts';
import { requestUrlOf } from './request-url.ts';
import { ACK_LIMIT_MS } from './transport.ts';

/**
 * Verifies the request URL as Slack does: sends a signed challenge that must be echoed as text, form or JSON.
 * https://docs.slack.dev/reference/events/url_verification
 */
export async function verifyRequestUrl(workspace: Workspace): Promise<boolean> {
  const { app } = workspace;
  const requestUrl = requestUrlOf(app, { kind: 'events_api', name: 'url_verification' });
  if (requestUrl === undefined) return false;
  const challenge = randomUUID();
  const body = JSON.stringify({ token: app.verificationToken, challenge, type: 'url_verification' });
  const stamp = String(nowSeconds(workspace));
  const signature = createHmac('sha256', app.signingSecret).update(`v0:${stamp}:${body}`).digest('hex');
  const at = workspace.now();
  const answer = await fetch(requestUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'x-slack-request-timestamp': stamp,
      'x-slack-signature': `v0=${signature}`,
    },
    signal: AbortSignal.timeout(ACK_LIMIT_MS),
  }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    () => undefined,
  );
  const verified = answer?.status === 200 && echoes(answer.text, challenge);
  workspace.wire.add({
    at,
    direction: 'to-app',
    transport: 'http',
    name: 'url_verification',
    request: { challenge },
    tookMs: workspace.now() - at,
    outcome: verified ? 'ok' : answer ? 'error' : 'unreachable',
    broken: [],
    ...(answer && { status: answer.status, response: answer.text }),
  });
  return verified;
}

function echoes(text: string, challenge: string): boolean {
  const form = new URLSearchParams(text).get('challenge');
  return [text.trim(), form, stringAt(parseJson(text), 'challenge')].includes(challenge);
}
