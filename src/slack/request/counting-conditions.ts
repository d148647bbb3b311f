// Says which conditions have chosen the rules of a request. *Who can decide?* shows it.
import { inputOf } from '../../core/policy/condition.ts';
import type { CountingCondition } from '../../core/policy/explained.ts';
import type { Say } from '../language/say.ts';
import { listed } from '../ui/person.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { codeText } from './policy-sentences.ts';

const LONGEST = { condition: 200, value: 60 };
const MOST_UNKNOWN = 3;

/** Names the conditions that count and the values that they saw, a line each. Escaped mrkdwn. */
export function reasonLines(conditions: readonly CountingCondition[], say: Say): string[] {
  const unknown = conditions.filter(({ verdict }) => verdict === 'unknown');
  const lines = unknown.slice(0, MOST_UNKNOWN).map((each) => unknownText(each, say));
  const holding = conditions.find(({ verdict }) => verdict === 'holds');
  if (!holding) return lines;
  const values = holding.values.map(
    ([name, value]) => `${escapedLine(nameOf(name), LONGEST.value)}: ${valueText(name, value)}`,
  );
  return [
    ...lines,
    say(unknown.length === 0 ? 'who.since' : 'who.condition-holds', {
      condition: conditionText(holding),
      values: values.length === 0 ? '' : ` (${listed(values, say)})`,
    }),
  ];
}

function unknownText({ missing, ...condition }: CountingCondition, say: Say): string {
  const names = missing.map((name) => escapedLine(nameOf(name), LONGEST.value));
  const words = { condition: conditionText(condition), count: names.length, missing: listed(names, say) };
  return say('who.condition-unknown', words);
}

function conditionText({ text }: Pick<CountingCondition, 'text'>): string {
  return escapeMrkdwn(codeText(cutLine(text, LONGEST.condition)));
}

/** Returns the name of a value as the crews file has it. */
function nameOf(value: string): string {
  return inputOf(value) ?? value;
}

/** Mentions in private messages and modals are names and notify nobody. */
function valueText(name: string, value: string | number | boolean): string {
  if (name === 'starter') return `<@${escapedLine(String(value), LONGEST.value)}>`;
  if (name === 'channel') return `<#${escapedLine(String(value), LONGEST.value)}>`;
  return escapedLine(String(value), LONGEST.value) || '“”';
}
