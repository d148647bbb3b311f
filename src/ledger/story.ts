import type { Entry, LedgerEvent, RightFacts, VoteFacts } from '../core/ledger/entry.ts';
import { durationInWords } from '../core/time.ts';

/** One run's entries as sentences, each with its time. People and groups are named by their ids, as in the ledger. */
export function storyOf(ref: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [`The ledger has nothing about ${ref}: it is unknown, or its entries have expired.`];
  return entries.map((entry) => `${timeOf(entry)}  ${sentenceOf(entry as Entry & LedgerEvent)}`);
}

function timeOf({ at }: Pick<Entry, 'at'>): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function sentenceOf(entry: LedgerEvent): string {
  switch (entry.kind) {
    case 'asked': {
      const { approval, crew, channel, task, round, starter } = entry.facts;
      const run = starter === null ? `started elsewhere` : `started by ${starter}`;
      const again = round > 1 ? `, in round ${round}` : '';
      return `The crew ${crew} (${run}) asked in ${channel} for a decision on "${task.name ?? task.id}"${again}. This is request ${approval}.`;
    }
    case 'named': {
      const { approval, task, reopened } = entry.facts;
      const voided = reopened ? ' The decision made before, which had not been sent, no longer counted.' : '';
      return `The crew named the task of request ${approval}: "${task.name}". From then on, the rules for that name applied.${voided}`;
    }
    case 'voted':
      return `${who(entry.facts)} approved request ${entry.facts.approval}; more approvals were needed.`;
    case 'withdrawn': {
      const { by, approval, reason } = entry.facts;
      return reason === 'own'
        ? `${by} withdrew the approval of request ${approval}.`
        : `The approval of request ${approval} by ${by} no longer counted (${reason}).`;
    }
    case 'decided':
      return decisionOf(entry.facts);
    case 'refused': {
      const { by, action, reason, approval, times } = entry.facts;
      const again = times === undefined ? '' : `, ${times} more ${times === 1 ? 'time' : 'times'} within a minute,`;
      return `${by} tried to ${tried(action, approval)}${again} and was refused (${reason}).`;
    }
    case 'undone':
      return `${entry.facts.by} undid the decision on request ${entry.facts.approval} before it was sent.`;
    case 'handed-over':
      return handOverOf(entry.facts);
    case 'taken-back':
      return `${entry.facts.by} took request ${entry.facts.approval} back, for which ${entry.facts.to} had stood in.`;
    case 'reminded':
      return `Reminder ${entry.facts.number} about request ${entry.facts.approval} mentioned ${list(entry.facts.mentioned)}.`;
    case 'escalated':
      return `Request ${entry.facts.approval} had waited too long: from then on ${list(entry.facts.to)} could decide it, too.`;
    case 'expired':
      return `Nobody decided request ${entry.facts.approval} in time: ${entry.facts.outcome === 'reject' ? 'it was rejected' : 'it was closed, and nothing was sent'}.`;
    case 'sent':
      return `The decision on request ${entry.facts.approval} was sent to the crew (attempt ${entry.facts.attempt}).`;
    case 'confirmed':
      return `The crew ${entry.facts.proof === 'accepted' ? 'accepted' : 'went on, which proves that it got'} the decision on request ${entry.facts.approval}.`;
    case 'unconfirmed':
      return `Whether the crew got the decision on request ${entry.facts.approval} stayed unknown (attempt ${entry.facts.attempt}).`;
    case 'policy':
      return `From then on, the crew ${entry.facts.crew} had the policy ${entry.facts.policy.slice(0, 12)}.`;
  }
}

function handOverOf({
  by,
  approval,
  to,
  until,
  for: given,
}: Extract<LedgerEvent, { kind: 'handed-over' }>['facts']): string {
  const end = until === undefined ? '' : ` until ${timeOf({ at: until })}`;
  const right = given ? ` with the right of ${given.by}` : '';
  return `${by} added ${to} as an approver of request ${approval}${right}${end}.`;
}

/** What a person tried, as in `approve request 2`. */
function tried(action: string, approval: string | null): string {
  const [before, after = ''] = TRIED[action] ?? [action.replace(/-/g, ' ')];
  return approval === null ? before : `${before} request ${approval}${after}`;
}

const TRIED: Record<string, [before: string, after?: string]> = {
  start: ['start a run'],
  'stop-following': ['stop following the run'],
  'track-again': ['track the run again'],
  'send-again': ['send the decision on', ' again'],
  'hand-over': ['add an approver to'],
  undo: ['undo the decision on'],
  withdraw: ['withdraw an approval of'],
  'ask-approvers': ['have others asked about'],
};

function decisionOf({
  approval,
  verdict,
  by,
  votes,
  text,
  undo_ms,
}: Extract<LedgerEvent, { kind: 'decided' }>['facts']) {
  const done = verdict === 'approve' ? 'approved' : 'rejected';
  if (by === null) return `Request ${approval} was ${done}, since nobody had decided it in time.`;
  const voters = list(votes.map(who));
  const others = votes.length === 0 || verdict === 'reject' ? '' : ` after ${voters}`;
  const against = votes.length === 0 || verdict === 'approve' ? '' : `, which ${voters} had approved`;
  const undo = undo_ms === 0 ? '' : ` It could be undone for ${durationInWords(undo_ms)}.`;
  return `${who(by)}${others} ${done} request ${approval}${against}, with a text of ${text.length} characters.${undo}`;
}

function who({ for: given, ...own }: VoteFacts): string {
  return given
    ? `${own.by} (allowed by the right of ${given.by}, as ${ruleOf(given)})`
    : `${own.by} (allowed as ${ruleOf(own)})`;
}

function ruleOf({ rule, account }: RightFacts): string {
  const kind = { member: '', guest: ', a guest', stranger: ', of another organisation' }[account];
  return `${rule}${kind}`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'nobody' : names.join(', ');
}
