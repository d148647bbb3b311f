import type { KickoffAnswer, ResumeAnswer } from '../../core/execution/crew-answers.ts';
import { parseKickoffId, parseResumedId } from './parse-answer.ts';
import type { Verdict } from './verdict.ts';

/** What a kickoff's outcome means. A 2xx without an id may have started something that nobody can name. */
export function kickoffAnswer(verdict: Verdict): KickoffAnswer {
  switch (verdict.kind) {
    case 'success': {
      const kickoffId = parseKickoffId(verdict.text);
      return kickoffId === null ? { kind: 'unknown', doubt: 'no-id' } : { kind: 'accepted', kickoffId };
    }
    case 'refused': {
      const { detail, missingInputs: missing } = verdict.error;
      return { kind: 'refused', refusal: { code: verdict.code, detail, missing } };
    }
    case 'unavailable':
    case 'unknown':
      return verdict;
  }
}

/** What a resume's outcome means. Any 2xx is an acceptance; what it says besides only adds to it. */
export function resumeAnswer(verdict: Verdict): ResumeAnswer {
  switch (verdict.kind) {
    case 'success':
      return { kind: 'accepted', kickoffId: parseResumedId(verdict.text) };
    case 'refused': {
      const { code, status, error } = verdict;
      return { kind: 'refused', failure: { kind: 'refused', code, status, detail: error.detail } };
    }
    case 'unavailable':
      return verdict;
    case 'unknown':
      return { kind: 'unknown' };
  }
}
