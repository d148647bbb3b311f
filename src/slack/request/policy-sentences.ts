// A policy in sentences.
import type { Approver, Policy } from '../../core/policy/policy.ts';
import { hasOthers, type PolicyStatement } from '../../core/policy/statements.ts';
import { oneLine } from '../../core/values/text.ts';
import type { Say } from '../language/say.ts';
import { inputIn } from '../ui/person.ts';
import { durationInWords } from '../ui/text/moment.ts';

interface Wording {
  say: Say;
  /** What to call a person or a group. */
  nameOf: (approver: Approver) => string;
  /** `known`: the rules are those of a request, so that an input which hasn't named anybody by now doesn't. */
  inputs?: 'open' | 'known';
}

/** A rule as people read it, in one sentence; names are as `nameOf` has them. */
export function policySentence(rule: PolicyStatement, wording: Wording): string {
  const { say } = wording;
  switch (rule.kind) {
    case 'quorum':
      return rule.approvers
        ? say('policy.quorum-of', { count: rule.count, people: peopleIn(rule.approvers, wording) })
        : say('policy.quorum', rule);
    case 'approvers':
    case 'starters':
    case 'all-of':
      return say(`policy.${rule.kind}`, { people: peopleIn(rule.approvers, wording) });
    case 'stages':
      return say('policy.stages', rule);
    case 'stage':
      return say('policy.stage', { ...rule, needed: neededText(rule, wording) });
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
        : say('policy.elsewhere-count', { people: peopleIn(rule.people, wording) });
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
        people: peopleIn(rule.approvers, wording),
      });
    case 'rejection':
      return say('policy.rejection', { time: durationInWords(rule.ms, say), feedback: rule.feedback });
  }
}

/** Who has to approve, as after a colon: `2 approvals from: everybody in @leads; one each from: …`. */
export function neededText(
  { quorum: count, approvers, allOf }: Pick<Policy, 'quorum' | 'approvers' | 'allOf'>,
  wording: Wording,
): string {
  const { say } = wording;
  const each = allOf.length === 0 ? [] : [say('policy.needed-each', { people: peopleIn(allOf, wording) })];
  const isSaid = each.length === 0 || hasOthers({ approvers, allOf }) || count > allOf.length;
  return [...(isSaid ? [say('policy.needed', { count, people: peopleIn(approvers, wording) })] : []), ...each].join(
    '; ',
  );
}

function conditionSentence(
  { condition, rules, without }: Extract<PolicyStatement, { kind: 'if' }>,
  wording: Wording,
): string {
  const { say } = wording;
  const said = [
    ...rules.map((rule) => policySentence(rule, wording)),
    ...without.map((rule) => say('policy.not', { rule: policySentence(rule, wording) })),
  ];
  const changes = said.length === 0 ? say('who.same-rules') : said.join(' ');
  return say('policy.if', { condition: codeText(condition), rules: changes });
}

/** On one line, marked as code where people read it; not escaped. */
export function codeText(text: string): string {
  return `\`${oneLine(text).replaceAll('`', "'")}\``;
}

/** People after a colon, each once: `Maria, everybody in @leads and the members of the channel`. */
export function peopleIn(approvers: readonly Approver[], wording: Wording): string {
  const { say } = wording;
  if (approvers.some(({ kind }) => kind === 'workspace')) return say('who.workspace');
  if (approvers.length === 0) return say('who.nobody');
  return say.list([...new Set(approvers.map((approver) => wordsFor(approver, wording)))]);
}

function wordsFor(approver: Approver, { say, nameOf, inputs = 'open' }: Wording): string {
  switch (approver.kind) {
    case 'group':
    case 'handle':
      return say('who.group', { group: nameOf(approver) });
    case 'channel':
      return say('who.the-channel');
    case 'person':
    case 'email':
      return approver.input === undefined
        ? nameOf(approver)
        : say('who.named-by-input', { name: nameOf(approver), input: approver.input });
    case 'workspace':
      return say('who.workspace');
    case 'input':
      return say(inputs === 'known' ? 'who.input-nobody' : 'who.input', { input: inputIn(approver) });
  }
}
