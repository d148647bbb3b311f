import type { CrewRefusal, ResumeFailure } from '../approval/approval.ts';
import type { KickoffDoubt, KickoffRefusal } from './execution.ts';

/**
 * What a call to a crew service proved. `unavailable`: nothing was sent, or the service said so itself (429, 503 with
 * `Retry-After`), so a machine may try again. `unknown`: anything that proves neither, so a person decides.
 */
export type KickoffAnswer =
  | { kind: 'accepted'; kickoffId: string }
  | { kind: 'refused'; refusal: KickoffRefusal }
  | { kind: 'unavailable'; waitMs: number | null }
  | { kind: 'unknown'; doubt: KickoffDoubt };

export type ResumeAnswer =
  | { kind: 'accepted'; kickoffId: string | null }
  | { kind: 'refused'; failure: Extract<ResumeFailure, { kind: 'refused' }> }
  | { kind: 'unavailable'; waitMs: number | null }
  | { kind: 'unknown' };

/** Whether a crew accepts a person's own token. */
export type TokenAnswer = { kind: 'accepted' } | { kind: 'refused'; code: CrewRefusal } | { kind: 'unreachable' };

/** What is known about a crew's inputs. */
export type InputsAnswer =
  | { kind: 'inputs'; names: string[]; skipped: string[] }
  | { kind: 'refused'; code: CrewRefusal; detail: string }
  /** The answer has a shape that we can't read. */
  | { kind: 'unreadable' }
  | { kind: 'unreachable' };
