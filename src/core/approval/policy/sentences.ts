import type { Crew } from '../../crew.ts';
import { durationInWords } from '../../duration-in-words.ts';
import type { Approver } from './approver.ts';
import type { PolicyPlaces, PolicySetting } from './places.ts';
import { placeOf } from './places.ts';
import type { Policy } from './policy.ts';

/** A rule as people read it, and the settings that it comes from. */
export interface PolicyStatement {
  settings: readonly PolicySetting[];
  sentence: string;
}

interface Told {
  policy: Policy;
  crew: Pick<Crew, 'name' | 'hours' | 'requireUserToken'>;
  /** What to call a person or a group. */
  nameOf: (approver: Approver) => string;
}

/** A rule with the place that it comes from: `One person decides. (crews.yml, line 12)`; a default has none. */
export function sentenceWithPlace(
  { settings, sentence }: PolicyStatement,
  { places, task }: { places: PolicyPlaces; task: number | null },
): string {
  const place = placeOf(places, settings, task);
  return place === null ? sentence : `${sentence} (${place})`;
}

/** How many have to decide, who may, and what happens with time: one short sentence each. */
export function policyStatements({ policy, crew, nameOf }: Told): PolicyStatement[] {
  return [
    say(quorumSentence(policy), 'quorum'),
    say(`${capitalised(peopleIn(policy.approvers, nameOf))} can decide.`, 'approvers'),
    say(starterSentence(policy), 'self_approval'),
    say(guestSentence(policy), 'guests'),
    ...tokenStatements(crew),
    ...delayStatements(policy),
    ...timerStatements(policy, nameOf),
    ...hoursStatements(policy, crew),
  ];
}

/** Who may start a crew. */
export function starterStatement(starters: readonly Approver[], nameOf: Told['nameOf']): PolicyStatement {
  return say(`${capitalised(peopleIn(starters, nameOf))} can start it.`, 'starters');
}

/** People as part of a sentence: `Maria, everybody in @leads, and the members of the channel`. */
function peopleIn(approvers: readonly Approver[], nameOf: Told['nameOf']): string {
  if (approvers.some(({ kind }) => kind === 'workspace')) return 'all members of the workspace';
  const names = approvers.map((approver) => {
    if (approver.kind === 'channel') return 'the members of the channel';
    const isGroup = approver.kind === 'group' || approver.kind === 'handle';
    return isGroup ? `everybody in ${nameOf(approver)}` : nameOf(approver);
  });
  return listed([...new Set(names)]);
}

function quorumSentence({ quorum }: Policy): string {
  if (quorum === 1) return 'One person decides.';
  return `${quorum} different people have to approve; one rejection decides at once.`;
}

function starterSentence({ selfApproval, approvers }: Policy): string {
  if (!selfApproval) return 'The person who started the run can’t decide it.';
  const isAlwaysMeant = approvers.some(({ kind }) => kind === 'workspace');
  return `The person who started the run can decide it, too${isAlwaysMeant ? '' : ', if they are one of them'}.`;
}

function guestSentence({ guests, approvers, escalateTo }: Policy): string {
  const isAnyNamed = [...approvers, ...escalateTo].some(({ kind }) => kind === 'person');
  return guests && isAnyNamed
    ? 'Guests and people of other organisations can decide only if they are named by their id.'
    : 'Guests and people of other organisations can’t decide.';
}

function tokenStatements({ name, requireUserToken }: Told['crew']): PolicyStatement[] {
  const sentence = `Everybody needs a token of their own for this crew: /kickoff connect ${name}.`;
  return requireUserToken ? [say(sentence, 'require_user_token')] : [];
}

function delayStatements({ undoMs, minReviewMs }: Policy): PolicyStatement[] {
  const undo = `A decision is sent ${durationInWords(undoMs)} after it was made; until then it can be undone.`;
  const review = `Approving in the first ${durationInWords(minReviewMs)} has to be confirmed.`;
  return [...(minReviewMs > 0 ? [say(review, 'min_review')] : []), ...(undoMs > 0 ? [say(undo, 'undo')] : [])];
}

function timerStatements(policy: Policy, nameOf: Told['nameOf']): PolicyStatement[] {
  const { remindAfterMs, escalateAfterMs, escalateTo, expireAfterMs } = policy;
  const statements: PolicyStatement[] = [];
  if (remindAfterMs !== null) {
    const first = durationInWords(remindAfterMs);
    const sentence = `Those who can decide are reminded after ${first}, and again at longer and longer intervals.`;
    statements.push(say(sentence, 'remind_after'));
  }
  if (escalateAfterMs !== null) {
    const sentence = `${undecided(escalateAfterMs)}, ${peopleIn(escalateTo, nameOf)} can decide, too.`;
    statements.push(say(sentence, 'escalate_after', 'escalate_to'));
  }
  if (expireAfterMs !== null) {
    const sentence = `${undecided(expireAfterMs)}, ${expirySentence(policy)}`;
    statements.push(say(sentence, 'expire_after', 'on_expiry', ...expiryTextOf(policy)));
  }
  return statements;
}

function expirySentence({ onExpiry, expiryText }: Policy): string {
  switch (onExpiry) {
    case 'close':
      return 'the request is closed, and nothing is sent to the crew.';
    case 'reject':
      return `it counts as rejected, and the crew is told “${expiryText}”`;
  }
}

function expiryTextOf({ onExpiry }: Policy): PolicySetting[] {
  return onExpiry === 'reject' ? ['expiry_text'] : [];
}

function hoursStatements(policy: Policy, { hours }: Told['crew']): PolicyStatement[] {
  const timers = [policy.remindAfterMs, policy.escalateAfterMs, policy.expireAfterMs];
  if (hours === null || timers.every((timer) => timer === null)) return [];
  return [say(`For these times, only working hours count: ${hours.text}.`, 'hours')];
}

function undecided(ms: number): string {
  return `After ${durationInWords(ms)} without a decision`;
}

function say(sentence: string, ...settings: PolicySetting[]): PolicyStatement {
  return { settings, sentence };
}

function listed(names: readonly string[]): string {
  const [last = 'nobody', ...others] = [...names].reverse();
  if (others.length === 0) return last;
  return `${others.reverse().join(', ')}${others.length > 1 ? ',' : ''} and ${last}`;
}

/** Names stay as they are. */
function capitalised(words: string): string {
  return /^(all|everybody|nobody|the) /.test(words) ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : words;
}
