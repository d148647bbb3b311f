// Why the rules of a request are what they are, where conditions decide that.
import { inputOf } from '../../core/policy/condition.ts';
import type { CountingCondition } from '../../core/policy/explained.ts';
import type { Say } from '../language/say.ts';
import { listed } from '../ui/person.ts';
import { cutLine, escapedLine, escapeMrkdwn } from '../ui/text/escape.ts';
import { codeText } from './policy-sentences.ts';

const LONGEST = { condition: 200, value: 60 };
const MOST_UNKNOWN = 3;

/** Which conditions count, and the values that they saw, a line each; nothing where none does. Escaped mrkdwn. */
export function reasonLines(conditions: readonly CountingCondition[], say: Say): string[] {
  const unknown = conditions.filter(({ verdict }) => verdict === 'unknown');
  const lines = unknown.slice(0, MOST_UNKNOWN).map((each) => unknownText(each, say));
  const holding = conditions.find(({ verdict }) => verdict === 'holds');
  if (!holding) return lines;
  const held = { condition: conditionText(holding), values: valuesText(holding.values, say) };
  return [...lines, say(unknown.length === 0 ? 'who.since' : 'who.condition-holds', held)];
}

function unknownText({ missing, ...condition }: CountingCondition, say: Say): string {
  const names = missing.map((name) => escapedLine(nameOf(name), LONGEST.value));
  const told = { condition: conditionText(condition), count: names.length, missing: listed(names, say) };
  return say('who.condition-unknown', told);
}

function conditionText({ text }: Pick<CountingCondition, 'text'>): string {
  return escapeMrkdwn(codeText(cutLine(text, LONGEST.condition)));
}

function valuesText(values: CountingCondition['values'], say: Say): string {
  if (values.length === 0) return '';
  const said = values.map(([name, value]) => `${escapedLine(nameOf(name), LONGEST.value)}: ${valueText(name, value)}`);
  return ` (${listed(said, say)})`;
}

/** As the crews file has it. */
function nameOf(value: string): string {
  return inputOf(value) ?? value;
}

/** Mentions are names in private messages and modals, and notify nobody. */
function valueText(name: string, value: string | number | boolean): string {
  if (name === 'starter') return `<@${escapedLine(String(value), LONGEST.value)}>`;
  if (name === 'channel') return `<#${escapedLine(String(value), LONGEST.value)}>`;
  return escapedLine(String(value), LONGEST.value) || '“”';
}
