import type { Delivered } from '../delivery/transport.ts';
import type { ActionOutcome, PersonProblem } from '../person-actions.ts';

type Failed = Exclude<Delivered, { ok: true }>;

/** The stable code for a failed delivery. */
export function failureCode(failed: Failed): string {
  switch (failed.reason) {
    case 'timeout':
      return 'app_timeout';
    case 'unreachable':
      return 'app_unreachable';
    case 'http_error':
    case 'dropped':
      return 'app_error';
    case 'not_configured':
      return 'app_not_configured';
  }
}

export function problem(code: string, text: string, at: PersonProblem['at']): ActionOutcome {
  return { ok: false, problem: { code, text, at } };
}
