import { isObject, type Json, type JsonObject } from '../json.ts';
import type { FunctionParameter } from './installed-app.ts';

/** What is wrong with the values of a function's parameters; empty if they fit. */
export function checkParameters(parameters: readonly FunctionParameter[], values: JsonObject): string[] {
  const unknown = Object.keys(values).filter((name) => !parameters.some((parameter) => parameter.name === name));
  return [
    ...unknown.map((name) => `${name} is not a parameter of the function`),
    ...parameters.flatMap(({ name, type, isRequired }) => {
      const value = values[name] ?? undefined;
      if (value === undefined) return isRequired ? [`${name} is required`] : [];
      return isOfType(type, value) ? [] : [`${name} must be of the type ${type}`];
    }),
  ];
}

/** Slack's own types are mostly ids and other text, some are objects. https://docs.slack.dev/reference/types */
function isOfType(type: string, value: Json): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number';
    case 'integer':
    case 'slack#/types/timestamp':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === 'string' || typeof value === 'object';
  }
}
