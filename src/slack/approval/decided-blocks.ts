import type { KnownBlock } from '@slack/types';
import type { Decision, Person, Vote } from '../../core/approval/approval.ts';
import type { CardModel } from '../../core/messages/view-models.ts';
import { context, quote, section } from '../ui/blocks.ts';
import { TYPED_TEXT_LIMIT } from '../ui/limits.ts';
import { listed } from '../ui/listed.ts';
import { type NameOf, nameIn } from '../ui/person.ts';
import { slackDate } from '../ui/text/moment.ts';

/** Room for the notes of several people; one alone always fits. */
const NOTES_LIMIT = 4_200;

type Voters = { votes: readonly Vote[]; name: NameOf };

export function verdictLabel(decision: Decision): string {
  return `${decision.verdict === 'approve' ? '✅' : '↩️'} ${verdictWord(decision)}`;
}

export function verdictWord({ verdict }: Decision): string {
  return verdict === 'approve' ? 'Approved' : 'Rejected';
}

/** `Approved by Maria and Jon`; mrkdwn that notifies nobody. */
export function attributed(decision: Decision, voters: Voters): string {
  return `${verdictWord(decision)}${byWhom(decision, voters)}`;
}

/** Who decided and when, and what the crew receives, in full, so that people see exactly what it is told. */
export function decidedBlocks({ votes }: CardModel, decision: Decision, name: NameOf): KnownBlock[] {
  const text = toldText(decision, votes);
  const who = byWhom(decision, { votes, name });
  const line = section(`*${verdictLabel(decision)}*${who} · ${slackDate(decision.at)}`);
  if (text === null) return [line];
  const isJoined = text !== decision.feedback;
  const most = isJoined ? NOTES_LIMIT : TYPED_TEXT_LIMIT;
  const length =
    text.length > most ? [context(`The notes go on: ${text.length.toLocaleString('en')} characters in all.`)] : [];
  return [line, quote(text, most), ...length];
}

function byWhom(decision: Decision, { votes, name }: Voters): string {
  const { by, verdict } = decision;
  if (by === null) return ', since nobody decided in time';
  const others = votes.filter((vote) => vote.by.id !== by.id).map((vote) => vote.by);
  const names = (people: Person[]) => listed(people.map((person) => nameIn(name, person)));
  if (verdict === 'approve') return ` by ${names([...others, by])}`;
  return ` by ${nameIn(name, by)}${others.length === 0 ? '' : `, after ${names(others)} had approved`}`;
}

/** What people have written of what the crew receives; null for an approval without notes. */
function toldText({ verdict, feedback, text }: Decision, votes: readonly Vote[]): string | null {
  if (verdict === 'reject') return feedback?.trim() ? feedback : null;
  const notes = [feedback, ...votes.map((vote) => vote.feedback)];
  return notes.some((each) => each?.trim()) ? text : null;
}
