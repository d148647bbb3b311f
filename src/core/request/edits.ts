// Edits: a person approves a text that they have changed. The request is about the new text then, and all votes start anew, since a
// vote is for one text.

import type { CrewRules } from '../policy/crew-rules.ts';
import { findRules, policyFacts, type RequestRules } from '../policy/rules.ts';
import { recordEvent } from '../state/events.ts';
import { type Execution, withRequest } from '../state/execution.ts';
import {
  allVotes,
  askedText,
  type Decision,
  type Output,
  type Pending,
  type Person,
  type Question,
} from '../state/request.ts';
import type { Millis } from '../values/time.ts';
import { withAlert } from './alerts.ts';
import { restartTimes, underRules } from './planned-times.ts';

/** The line before an edited text in what the crew receives. */
export const EDITS_TEXT = 'Approved with these edits:';

/** Returns the approval of an edited text as the crew or program receives it. The text itself lies beside the record. */
export function withEditedText<Each extends Decision>(decision: Each, edited: string): Each & { text: string } {
  const text = `${decision.text ?? EDITS_TEXT}\n${edited}`;
  return { ...decision, text, feedback: text };
}

/** Makes the request ask about an edited text, and enters that in the ledger. */
export function edit<Asked extends RequestRules<Pending> & { rule: string }>(
  permitted: Asked,
  { by, output }: { by: Person; output: Output },
  now: Millis,
): Asked {
  const { request, hours, notify, crewPolicy } = permitted;
  const text = { sha256: output.hash, length: output.length };
  const facts = { approval: request.id, by: by.id, rule: permitted.rule, text, ...policyFacts(permitted) };
  const execution = recordEvent(permitted.execution, { kind: 'edited', at: now, facts });
  const about = aboutText(request, { by, output }, now);
  const rules = { policy: crewPolicy, hours, notify };
  const edited = underRules(findRules(rules, { execution, request: about, now }));
  return {
    ...permitted,
    ...findRules(rules, { ...alertVoters(execution, edited, { before: request, by }, now), now }),
  };
}

/** Returns true if the edits of the text are this person's, so that they go with their vote or decision. */
export function isEditor({ edited }: Pick<Question, 'edited'>, person: Pick<Person, 'id'> | null): boolean {
  return edited !== null && edited.by.id === person?.id;
}

/** Returns true if a decision approves its own person's edits, which go with it if it is taken back. */
export function approvesOwnEdits(approval: Pick<Question, 'edited'>, { verdict, by }: Decision): boolean {
  return verdict === 'approve' && isEditor(approval, by);
}

/** Makes the request ask about the crew's text again, since the edits were taken back. */
export function withoutEdits(
  request: Pending,
  { by, execution, rules }: { by: Person; execution: Execution; rules: Partial<CrewRules> },
  now: Millis,
): { execution: Execution; request: Pending } {
  const about = aboutText(request, { by, output: askedText(request.question) }, now);
  const crewRules = { policy: null, notify: 'mention', ...rules } as const;
  const restored = underRules(findRules(crewRules, { execution, request: about, now }));
  return alertVoters(execution, restored, { before: request, by }, now);
}

/** Drops votes and complete stages, and notifies others who have approved. If a stage is open again, its clocks begin anew. */
function aboutText(request: Pending, { by, output }: { by: Person; output: Output }, now: Millis): Pending {
  const of = askedText(request.question);
  const edited = output.hash === of.hash ? null : { by, at: now, of };
  const { question, discussion } = request;
  const isOpenAgain = discussion.stages.length > 0;
  const times = isOpenAgain ? { ...restartTimes(discussion.times, now), escalations: [] } : discussion.times;
  return {
    ...request,
    question: { ...question, output, edited },
    discussion: { ...discussion, votes: [], stages: [], judging: null, times },
  };
}

/** Stores the request about another text, and mentions the others whose approvals of the text before have lapsed. */
function alertVoters(
  execution: Execution,
  request: Pending,
  { before, by }: { before: Pending; by: Person },
  now: Millis,
): { execution: Execution; request: Pending } {
  const mentions = allVotes(before.discussion).flatMap((vote) => (vote.by.id === by.id ? [] : [vote.by.id]));
  if (mentions.length === 0) return { execution: withRequest(execution, request), request };
  return withAlert(execution, request, { kind: 'edited', by, mentions }, now);
}
