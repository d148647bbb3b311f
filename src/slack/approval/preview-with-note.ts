import type { Approval, Person } from '../../core/approval/approval.ts';
import { crewText } from '../../core/approval/crew-text.ts';
import { decide, findDecidable } from '../../core/approval/decide.ts';
import type { OnText, Permission } from '../../core/approval/permission.ts';
import type { Refusal } from '../../core/approval/refusal.ts';
import { shownAt } from '../../core/approval/shown-at.ts';
import { type Execution, findApproval } from '../../core/execution/execution.ts';
import type { Result } from '../../core/result.ts';
import { ok, refuse } from '../../core/result.ts';
import type { Millis } from '../../core/time.ts';
import type { ListenerContext } from '../interaction/listener-context.ts';
import { type ApprovalKey, keyOf } from '../ui/button-value.ts';
import { changeRequest } from './change-request.ts';
import type { DecidableRequest } from './find-decidable-request.ts';
import type { NotePreview } from './note-modal.ts';

interface Written {
  by: Person;
  note: string;
}

/** What an approval with this note would lead to, found by trying it without storing it. */
export async function previewWithNote(
  context: ListenerContext,
  { key, by, note }: Written & { key: ApprovalKey | null },
): Promise<Result<NotePreview, Refusal>> {
  let preview: NotePreview | null = null;
  const tried = await changeRequest(context, {
    ...{ key, by, action: 'approve' },
    transition: (execution, { approvalId, now, ...permission }) => {
      const found = previewOf(execution, { approvalId, by, note, permission }, now);
      preview = found.ok ? { ...found.value, isRead: key?.isRead } : null;
      return found.ok ? ifNotesAreTaken(context, execution.crew, execution) : found;
    },
  });
  if (!tried.ok) return tried;
  return preview ? ok(preview) : refuse({ kind: 'unknown' });
}

function previewOf(
  execution: Execution,
  { approvalId, by, note, permission }: Written & { approvalId: string; permission: Permission & OnText },
  now: Millis,
): Result<NotePreview, Refusal> {
  const found = findDecidable(execution, approvalId, { personId: by.id, now, ...permission });
  if (!found.ok) return found;
  const choice = { verdict: 'approve', feedback: note, text: note } as const;
  const tried = decide(execution, approvalId, { choice, by, review: 'confirmed', ...permission }, now);
  if (!tried.ok) return tried;
  const after = findApproval(tried.value, approvalId) ?? found.value.approval;
  const { minReviewMs, quorum } = found.value.policy;
  const afterMs = Math.max(0, now - shownAt(after));
  return ok({
    ...keyOf({ ref: execution.ref, approvalId, output: after.output }),
    ...{ crew: execution.crew, note },
    text: textAfter(after, { by, note, quorum }),
    needed: after.status === 'pending' ? Math.max(0, quorum - after.votes.length) : 0,
    soonMs: afterMs < minReviewMs ? afterMs : null,
  });
}

/** What the crew receives if the others who are needed have nothing to add. */
function textAfter(after: Approval, { by, note, quorum }: Written & { quorum: number }): string {
  if (after.status === 'decided') return after.decision.text;
  const others = after.votes.filter((vote) => vote.by.id !== by.id);
  return crewText(others, { by, feedback: note, text: note }, { quorum });
}

/** The button that asks for a note may be older than the setting that no longer takes any. */
export function ifNotesAreTaken<Value>({ crews }: ListenerContext, crew: string, value: Value): Result<Value, Refusal> {
  return crews.get(crew)?.approvalNotes === false ? refuse({ kind: 'notes-not-taken' }) : ok(value);
}

/** Whether anything is added to a note before it is sent, by what is known of the request. */
export function isNoteAlone({ card, policy }: Pick<DecidableRequest, 'card' | 'policy'>): boolean {
  return policy.quorum === 1 && card.votes.length === 0;
}
