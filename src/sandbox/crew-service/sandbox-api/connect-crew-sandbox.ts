import { request } from 'undici';
import type { CrewSandbox } from './crew-sandbox.ts';

/** The sandbox API refused a call. */
class SandboxError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`The crew service's sandbox answered ${status}: ${text}`);
    this.name = 'SandboxError';
    this.status = status;
  }
}

/**
 * Controls a crew service in another process that was started with `--sandbox`.
 * Calls reject with `SandboxError` if the service refuses them, or with undici's error if it can't be reached.
 * @param origin such as `http://127.0.0.1:4100`
 * @param token the organisation's token
 */
export function connectCrewSandbox({ origin, token }: { origin: string; token: string }): CrewSandbox {
  async function call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: readonly string[], body?: unknown) {
    const answer = await request(`${origin}/_sandbox/${path.map(encodeURIComponent).join('/')}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new SandboxError(answer.statusCode, text);
    return JSON.parse(text);
  }

  return {
    setScript: (crew, tasks) => call('PUT', ['crews', crew, 'script'], tasks),
    openGate: (gate) => call('PUT', ['gates', gate], { open: true }),
    shutGate: (gate) => call('PUT', ['gates', gate], { open: false }),
    revokeUserToken: (token) => call('POST', ['revoked-tokens'], { token }),
    addFault: (rule) => call('POST', ['faults'], rule),
    clearFaults: () => call('DELETE', ['faults']),
    requests: () => call('GET', ['requests']),
    webhooks: () => call('GET', ['webhooks']),
    clearRecords: () => call('DELETE', ['records']),
    runs: () => call('GET', ['runs']),
  };
}
