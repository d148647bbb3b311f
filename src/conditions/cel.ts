// Conditions in the Common Expression Language, https://github.com/google/cel-spec: the part of it that compares values.

import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import {
  type Condition,
  type InputKind,
  type InputKinds,
  inputOf,
  inputValue,
  type ParseCondition,
  VALUE_NAMES,
  type Values,
} from '../core/policy/condition.ts';

const LONGEST = 500;

/** An expression has no loops, so its size limits its time. */
const LIMITS = { maxAstNodes: 200, maxDepth: 24, maxListElements: 50, maxMapEntries: 0, maxCallArguments: 2 };

const TYPES: Record<InputKind, string> = { number: 'double', text: 'string', yes_no: 'bool' };

/** Neither loops nor regular expressions, which may take very long, nor `has`, by which a missing value would count as a known one. */
const FUNCTIONS: readonly string[] = ['contains', 'endsWith', 'size', 'startsWith'];

/**
 * Reads a condition by the types of the inputs. It sees `inputs`, `task`, `round`, `starter`, `channel` and `hour`, and is true or
 * false, or unknown where a value that decides is missing.
 */
export const parseCondition: ParseCondition = (text, inputs) => {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`;
  try {
    const evaluate = environmentOf(inputs).parse(text);
    const sees = new Set<string>();
    const problem = whyRefused(evaluate.ast, { inputs, sees });
    if (problem !== null) return problem;
    const { valid, type, error } = evaluate.check();
    if (!valid) return `can't be read: ${sentence(error?.summary)}`;
    if (type !== 'bool') return `must be true or false, such as inputs.amount > 5000, but is of the type ${type}`;
    return conditionOf(text, [...sees], evaluate);
  } catch (error) {
    return `can't be read: ${sentence(summaryOf(error))}`;
  }
};

function conditionOf(text: string, sees: readonly string[], evaluate: (context: object) => unknown): Condition {
  return {
    text,
    sees,
    holds(values) {
      try {
        const holds = evaluate(contextOf(values));
        return typeof holds === 'boolean' ? holds : null;
      } catch {
        // A value is missing, or a number has become too large.
        return null;
      }
    },
  };
}

/** Converts values for the language: its whole numbers are bigints, and inputs may have names that JavaScript objects inherit. */
function contextOf(values: Values): object {
  const inputs = new Map<string, unknown>();
  const context: Record<string, unknown> = { inputs };
  for (const [name, value] of values) {
    const input = inputOf(name);
    if (input !== null) inputs.set(input, value);
    else context[name] = typeof value === 'number' ? BigInt(value) : value;
  }
  return context;
}

function environmentOf(inputs: InputKinds): Environment {
  const schema = Object.fromEntries(Object.entries(inputs).map(([name, kind]) => [name, TYPES[kind]]));
  return (
    new Environment({ limits: LIMITS })
      .registerVariable({ name: 'inputs', schema })
      .registerVariable('task', 'string')
      .registerVariable('round', 'int')
      .registerVariable('starter', 'string')
      .registerVariable('channel', 'string')
      .registerVariable('hour', 'int')
      // As whole numbers are compared with others by < and >, too; != follows.
      .registerOperator('double == int', (one: number, other: bigint) => one === Number(other))
  );
}

interface Reading {
  inputs: InputKinds;
  /** The names of the values in the expression so far. */
  sees: Set<string>;
}

/** Returns why a condition can't contain such a part; null if it can. */
function whyRefused(node: ASTNode, reading: Reading): string | null {
  switch (node.op) {
    case 'value':
      return isPlain(node.args) ? null : 'compares what no input can be';
    case 'id':
      return whyUnknown(node.args, reading);
    case '.':
      return isInputs(node.args[0]) ? whyUndeclared(node.args[1], reading) : 'names a part of something that has none';
    case '[]': {
      const [from, name] = node.args;
      const isName = isInputs(from) && name.op === 'value' && typeof name.args === 'string';
      return isName ? whyUndeclared(String(name.args), reading) : 'names a part of something that has none';
    }
    case 'call':
    case 'rcall': {
      const [name, ...rest] = node.args;
      return FUNCTIONS.includes(name)
        ? firstRefused(rest.flat(), reading)
        : `uses ${name}(), which conditions don't have; they have ${FUNCTIONS.join(', ')}`;
    }
    case 'list':
      return firstRefused(node.args, reading);
    case '!_':
    case '-_':
      return whyRefused(node.args, reading);
    case '?:':
    case '||':
    case '&&':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return firstRefused(node.args, reading);
    default:
      return `uses ${node.op}, which conditions don't have`;
  }
}

function firstRefused(nodes: readonly ASTNode[], reading: Reading): string | null {
  for (const node of nodes) {
    const problem = whyRefused(node, reading);
    if (problem !== null) return problem;
  }
  return null;
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function isInputs(node: ASTNode): boolean {
  return node.op === 'id' && node.args === 'inputs';
}

function whyUnknown(name: string, { sees }: Reading): string | null {
  const known = VALUE_NAMES.find((each) => each === name);
  if (known === undefined) return `names ${name}, but conditions see inputs.NAME, ${VALUE_NAMES.join(', ')}`;
  sees.add(known);
  return null;
}

function whyUndeclared(name: string, { inputs, sees }: Reading): string | null {
  if (!Object.hasOwn(inputs, name))
    return `names the input ${name}, which isn't among the crew's inputs with a type that can be compared`;
  sees.add(inputValue(name));
  return null;
}

function summaryOf(error: unknown): string | undefined {
  return error instanceof Error && 'summary' in error ? String(error.summary) : undefined;
}

function sentence(summary = 'it is no expression'): string {
  return summary.replace(/[.\s]+$/, '').replace(/^./, (first) => first.toLowerCase());
}
