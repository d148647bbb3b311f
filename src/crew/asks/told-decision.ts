// The state of an ask as programs receive it: in a callback, and in the answers to `POST`, `GET` and `DELETE`.

import { z } from 'zod';
import { withEditedText } from '../../core/request/edits.ts';
import type { Decision, HumanRequest } from '../../core/state/request.ts';

const NAMES = {
  id: z.string().nullable().describe('The program’s own name for it; null if it gave none.'),
  ref: z.string().describe('Signoff’s name for it.'),
};

const NOT_DECIDED = z.object({
  status: z
    .enum(['waiting', 'cancelled', 'closed'])
    .describe('cancelled: its asker took it back. closed: something else did, and nobody decides it any more.'),
});

const DECIDED = z.object({
  status: z.enum(['decided', 'expired']).describe('expired: nobody decided in time.'),
  decision: z.enum(['approved', 'rejected', 'expired']),
  outcome: z.string().nullable().describe('What people chose, where outcomes were offered.'),
  answer: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .nullable()
    .describe('What people filled in, by the names of the fields, where there were some.'),
  feedback: z.string().nullable().describe('What people wrote. An edited text that was approved stands in it, too.'),
  edited_text: z.string().nullable().describe('The whole text that was approved with edits; null where none was.'),
  by: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .describe('Who completed the decision; null if nobody did.'),
  decided_at: z.string().meta({ format: 'date-time' }),
});

type NotDecided = z.infer<typeof NOT_DECIDED>;
type Decided = z.infer<typeof DECIDED>;

export type AskTold = z.infer<z.ZodObject<typeof NAMES>> & (NotDecided | Decided);

export const CALLBACK_BODY = z.object({
  type: z.literal('ask.decided'),
  timestamp: z.string().meta({ format: 'date-time' }).describe('When it was decided.'),
  data: z.object({ ...NAMES, ...DECIDED.shape }),
});

const URL_TOLD = { url: z.string().nullable().describe('Where people find the card; null until it is posted.') };

/** The body of every answer that isn't a refusal. */
export const ASK_ANSWER = z.discriminatedUnion('status', [
  z.object({ ...NAMES, ...URL_TOLD, ...NOT_DECIDED.shape }),
  z.object({ ...NAMES, ...URL_TOLD, ...DECIDED.shape }),
]);

/** Returns the state of an ask. A decision that can still be undone counts as waiting. `editedText`: the approved text, if people edited it. */
export function askTold(ref: string, request: HumanRequest, editedText: string | null): AskTold {
  return { id: request.question.requestId, ref, ...askState(request, editedText) };
}

function askState(request: HumanRequest, editedText: string | null): NotDecided | Decided {
  switch (request.state.status) {
    case 'pending':
      return { status: 'waiting' };
    case 'decided':
      return request.state.undoUntil === null
        ? decisionTold(request.state.decision, editedText)
        : { status: 'waiting' };
    case 'sending':
    case 'failed':
    case 'delivered':
    case 'declined':
      return decisionTold(request.state.decision, editedText);
    case 'expired':
      return expiryTold(request.state.expiredAt);
    case 'superseded':
      return { status: request.state.by === 'cancelled' ? 'cancelled' : 'closed' };
  }
}

/** A program, unlike a crew, never comes back with another revision, so a decline tells it no more than a rejection. */
const DECISIONS = { approve: 'approved', reject: 'rejected', decline: 'rejected' } as const;

function decisionTold(decision: Decision, editedText: string | null): Decided {
  const whole = editedText === null ? decision : withEditedText(decision, editedText);
  const { verdict, outcome, answer, feedback, by, at } = whole;
  // Nobody decided: the policy rejects requests that expire.
  if (by === null) return expiryTold(at);
  return {
    status: 'decided',
    decision: DECISIONS[verdict],
    outcome: outcome ?? null,
    answer: answer ?? null,
    feedback,
    edited_text: editedText,
    by: { id: by.id, name: by.name },
    decided_at: new Date(at).toISOString(),
  };
}

function expiryTold(at: number): Decided {
  const nothing = { outcome: null, answer: null, feedback: null, edited_text: null, by: null };
  return { status: 'expired', decision: 'expired', ...nothing, decided_at: new Date(at).toISOString() };
}
