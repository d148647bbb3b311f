import type { BlockProblem } from '../block-kit/rule.ts';
import type { JsonObject } from '../json.ts';
import type { BrokenRule } from '../wire-entry.ts';

/** A refusal: `{"ok":false,"error":code, …extra}`. */
export class ApiError extends Error {
  readonly code: string;
  readonly extra: JsonObject;
  /** The rules that the app has broken, none if it couldn't know better. Where nothing is said, it is the error's own. */
  readonly broken: BrokenRule[] | undefined;

  constructor(code: string, extra: JsonObject = {}, broken?: BrokenRule[]) {
    super(code);
    this.code = code;
    this.extra = extra;
    this.broken = broken;
  }
}

/** Block problems in Slack's format: `[ERROR] … [json-pointer:/blocks/0/text]`. */
export function blockError(code: string, problems: readonly BlockProblem[]): ApiError {
  const messages = problems.map(({ message, pointer }) => `[ERROR] ${message} [json-pointer:${pointer}]`);
  const broken = problems.map(({ message, pointer, documentation }) => ({
    code,
    detail: `${message} (${pointer})`,
    documentation,
  }));
  return new ApiError(
    code,
    { errors: messages.map((text) => text.replace('[ERROR] ', '')), response_metadata: { messages } },
    broken,
  );
}

export function argumentError(message: string): ApiError {
  return new ApiError('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${message}`] } });
}
