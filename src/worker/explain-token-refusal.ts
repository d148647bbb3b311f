import type { Person, ResumeFailure } from '../core/approval/approval.ts';
import type { ResumeAnswer } from '../core/execution/crew-answers.ts';
import type { Execution } from '../core/execution/execution.ts';
import { findApproval } from '../core/execution/execution.ts';
import { tsOf } from '../core/messages/post.ts';
import { keepAnswer } from '../core/messages/private-answers.ts';
import type { Millis } from '../core/time.ts';

type Refused = Extract<ResumeFailure, { kind: 'refused' }>;

/** The words for a person whose own token a crew wants, in their language. */
export type OwnTokenText = (
  code: 'user-token-refused' | 'no-user-token',
  about: { crew: string; personId: string },
) => Promise<string>;

/** What to tell the person if a crew wants their own token; null if the answer isn't about that. */
export async function findOwnTokenText(
  ownTokenText: OwnTokenText,
  answer: ResumeAnswer,
  { crew, by }: { crew: string; by: Person | null },
): Promise<string | null> {
  const code = answer.kind === 'refused' ? codeOf(answer.failure) : null;
  return code === null || by === null ? null : ownTokenText(code, { crew, personId: by.id });
}

/** The card tells everybody; the person who has to connect a token is told privately, too, once for each refusal. */
export function explainTokenRefusal(
  settled: Execution,
  { approvalId, answer, text }: { approvalId: string; answer: ResumeAnswer; text: string | null },
  now: Millis,
): Execution {
  const approval = findApproval(settled, approvalId);
  // The answer counts only if it has become the state of the request.
  if (answer.kind !== 'refused' || approval?.status !== 'failed' || approval.failure !== answer.failure) return settled;
  const { by } = approval.decision;
  if (text === null || by === null) return settled;
  const { channel, root, crew } = settled;
  const told = { text, next: { kind: 'connect', crew } } as const;
  return keepAnswer(settled, { to: by.id, channel, threadTs: tsOf(root), ...told }, now);
}

function codeOf({ code }: Refused) {
  return code === 'user-token-refused' || code === 'no-user-token' ? code : null;
}
