// Writes the rules of a policy as sentences, for Slack and for `npm run policy`.
import { type Approver, approvalsNeeded } from '../../core/policy/policy.ts';
import { type Deciders, hasOthers, type PolicyStatement } from '../../core/policy/statements.ts';
import { oneLine } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { inputIn } from '../ui/person.ts';
import { durationInWords } from '../ui/text/moment.ts';

interface Wording {
  say: Say;
  /** Names a person or a group. */
  nameOf: (approver: Approver) => string;
  /** `known`: the rules are those of a request, whose inputs are known, so that an input without a name names nobody. */
  inputs?: 'open' | 'known';
}

/** Returns a rule as one sentence, with names from `nameOf`. */
export function policySentence(rule: PolicyStatement, wording: Wording): string {
  const { say } = wording;
  switch (rule.kind) {
    case 'deciders':
      return say(approvalsNeeded(rule) > 1 ? 'policy.deciders-several' : 'policy.sentence', {
        rule: decidersText(rule, wording),
      });
    case 'starters':
      return asSentence(say('policy.starters', { people: anyOf(rule.approvers, wording) }), rule.approvers, wording);
    case 'stages':
      return say('policy.stages', rule);
    case 'stage':
      return say('policy.stage', { ...rule, rule: decidersText(rule, wording) });
    case 'not':
      return say('policy.not', { rule: policySentence(rule.rule, wording) });
    case 'in-stage':
      return say('policy.in-stage', { name: rule.name, rule: policySentence(rule.rule, wording) });
    case 'if':
      return conditionSentence(rule, wording);
    case 'outcomes':
      return rule.approving.length === 0
        ? say('policy.no-outcome-approves')
        : say('policy.outcomes', { outcomes: say.list(rule.approving) });
    case 'self-approval':
      return say(`policy.self-approval-${rule.allowed}`);
    case 'elsewhere':
      return rule.people.length === 0
        ? say('policy.elsewhere-unknown')
        : say('policy.elsewhere-count', { people: say.list(peopleIn(rule.people, 'of', wording)) });
    case 'guests':
      return say(`policy.guests-${rule.allowed}`);
    case 'delegation':
      return say(`policy.delegation-${rule.allowed}`);
    case 'own-token':
      return say('policy.own-token', { command: `${say.kickoff} connect ${rule.crew}` });
    case 'notes':
      return say(`policy.note-${rule.taken}`);
    case 'feedback':
      return say(`policy.feedback-${rule.taken}`);
    case 'conditions':
    case 'step-up':
    case 'last-rejection':
      return say(`policy.${rule.kind}`);
    case 'hours':
      return say('policy.hours', { hours: rule.text });
    case 'review':
    case 'undo':
    case 'reminder':
    case 'closing':
      return say(`policy.${rule.kind}`, { time: durationInWords(rule.ms, say) });
    case 'escalation':
      return say('policy.escalation', {
        time: durationInWords(rule.ms, say),
        people: anyOf(rule.approvers, wording),
      });
    case 'rejection':
      return say('policy.rejection', { time: durationInWords(rule.ms, say), feedback: rule.feedback });
  }
}

/** Says who has to approve, without the full stop: `Two people of @leads have to approve`. */
function decidersText({ quorum, approvers, allOf }: Deciders, wording: Wording): string {
  const { say } = wording;
  if (allOf.length === 0 && quorum === 1) {
    const people = anyOf(approvers, wording);
    return asSentence(say('policy.anyone', { people }), approvers, wording);
  }
  const needed = (words: readonly string[], people: readonly Approver[]) => {
    const text = say('policy.needed', { count: Math.max(quorum, words.length), people: say.list(words) });
    return asSentence(text, people, wording);
  };
  const seats = peopleIn(allOf, 'one', wording);
  const some = someOf(quorum, approvers, wording);
  if (allOf.length === 0) return needed([some], []);
  const isAmongThem = approvers.some(({ kind }) => kind === 'workspace') || !hasOthers({ approvers, allOf });
  if (!isAmongThem) return say('policy.count-for-several', { needed: needed([some, ...seats], []) });
  return quorum > allOf.length
    ? say('policy.among-them', { needed: needed([some], []), people: say.list(seats) })
    : needed(seats, allOf);
}

/** Names so many of the approvers: `two people of @leads`. */
function someOf(count: number, approvers: readonly Approver[], wording: Wording): string {
  const { say } = wording;
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('policy.some-of-workspace', { count });
  const isOfGroups = approvers.every(({ kind }) => kind === 'group' || kind === 'handle');
  const people = say.list(peopleIn(approvers, 'of', wording));
  return say(isOfGroups ? 'policy.some-of-groups' : 'policy.some-of', { count, people });
}

/** Begins with a capital unless it begins with a name, which stays as it is. */
function asSentence(text: string, [first]: readonly Approver[], { nameOf }: Wording): string {
  const isNamed = first?.kind === 'person' || first?.kind === 'email';
  return isNamed && text.startsWith(nameOf(first)) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function conditionSentence({ condition, rules }: Extract<PolicyStatement, { kind: 'if' }>, wording: Wording): string {
  const { say } = wording;
  const changes =
    rules.length === 0 ? say('who.same-rules') : rules.map((rule) => policySentence(rule, wording)).join(' ');
  return say('policy.if', { condition: codeText(condition), rules: changes });
}

/** Marks a text as code on one line of mrkdwn. Not escaped. */
export function codeText(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

/** Names people any of whom is enough: `Maria, anyone in @leads or anyone in the channel`. */
export function anyOf(approvers: readonly Approver[], wording: Wording): string {
  const { say } = wording;
  if (approvers.length === 0) return say('who.nobody');
  const isForAll = approvers.find(({ kind }) => kind === 'workspace');
  return say.either(peopleIn(isForAll ? [isForAll] : approvers, 'any', wording));
}

/** The form of an approver's name: `anyone in @leads`, `one person of @leads`, or for *two people of*: `@leads`. */
type Form = 'any' | 'one' | 'of';

/** Names approvers, each once. Leaves out inputs that name nobody, unless there is nobody else. */
function peopleIn(approvers: readonly Approver[], form: Form, wording: Wording): string[] {
  const withoutInputs = wording.inputs === 'known' ? approvers.filter(({ kind }) => kind !== 'input') : approvers;
  const people = withoutInputs.length > 0 ? withoutInputs : approvers;
  return [...new Set(people.map((approver) => wordsFor(approver, form, wording)))];
}

function wordsFor(approver: Approver, form: Form, { say, nameOf, inputs = 'open' }: Wording): string {
  switch (approver.kind) {
    case 'group':
    case 'handle':
      return say('policy.of-group', { form, group: nameOf(approver) });
    case 'channel':
    case 'workspace':
      return say(`policy.of-${approver.kind}`, { form });
    case 'person':
    case 'email':
      return approver.input === undefined
        ? nameOf(approver)
        : say('who.named-by-input', { name: nameOf(approver), input: approver.input });
    case 'input':
      return say(inputs === 'known' ? 'who.input-nobody' : 'who.input', { input: inputIn(approver) });
  }
}
