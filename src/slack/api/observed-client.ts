import {
  type WebAPICallResult,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import { isContentRefusal } from './errors.ts';

/** One call to Slack's Web API, for metrics. */
export interface ObservedSlackCall {
  method: string;
  outcome: 'ok' | 'rate-limited' | 'content-refused' | 'refused' | 'server-error' | 'no-answer';
  durationMs: number;
}

export type ObserveSlackCall = (call: ObservedSlackCall) => void;

/** Reports each of its calls; every method of the client goes through `apiCall`. */
export class ObservedClient extends WebClient {
  readonly #observe: ObserveSlackCall;

  constructor(token: string, options: WebClientOptions, observe: ObserveSlackCall) {
    super(token, options);
    this.#observe = observe;
  }

  override async apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    const begin = performance.now();
    const tell = (outcome: ObservedSlackCall['outcome']) =>
      this.#observe({ method, outcome, durationMs: performance.now() - begin });
    try {
      const answer = await super.apiCall(method, options);
      tell('ok');
      return answer;
    } catch (error) {
      tell(outcomeName(error));
      throw error;
    }
  }
}

function outcomeName(error: unknown): Exclude<ObservedSlackCall['outcome'], 'ok'> {
  if (error instanceof WebAPIRateLimitedError) return 'rate-limited';
  if (error instanceof WebAPIPlatformError) return isContentRefusal(error) ? 'content-refused' : 'refused';
  return error instanceof WebAPIHTTPError ? 'server-error' : 'no-answer';
}
