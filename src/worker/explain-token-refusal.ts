import type { ResumeFailure } from '../core/approval/approval.ts';
import type { ResumeAnswer } from '../core/execution/crew-answers.ts';
import type { Execution } from '../core/execution/execution.ts';
import { findApproval } from '../core/execution/execution.ts';
import { tsOf } from '../core/messages/post.ts';
import { keepAnswer } from '../core/messages/private-answers.ts';
import type { Millis } from '../core/time.ts';

type Refused = Extract<ResumeFailure, { kind: 'refused' }>;

/** The words for a person whose own token a crew wants. */
export type OwnTokenText = (code: 'user-token-refused' | 'no-user-token', crew: string) => string;

/** The card tells everybody; the person who has to connect a token is told privately, too, once for each refusal. */
export function explainTokenRefusal(
  settled: Execution,
  { approvalId, answer, ownTokenText }: { approvalId: string; answer: ResumeAnswer; ownTokenText: OwnTokenText },
  now: Millis,
): Execution {
  const approval = findApproval(settled, approvalId);
  // The answer counts only if it has become the state of the request.
  if (answer.kind !== 'refused' || approval?.status !== 'failed' || approval.failure !== answer.failure) return settled;
  const code = codeOf(answer.failure);
  const { by } = approval.decision;
  if (code === null || by === null) return settled;
  const { channel, root, crew } = settled;
  const told = { text: ownTokenText(code, crew), next: { kind: 'connect', crew } } as const;
  return keepAnswer(settled, { to: by.id, channel, threadTs: tsOf(root), ...told }, now);
}

function codeOf({ code }: Refused) {
  return code === 'user-token-refused' || code === 'no-user-token' ? code : null;
}
