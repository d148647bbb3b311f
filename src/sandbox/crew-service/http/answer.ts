import type { Json } from '../json.ts';

/** An HTTP response: `text` is sent as plain text, `json` as JSON. */
export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: { readonly json: Json } | { readonly text: string };
};

export function answerJson(status: number, json: Json): Answer {
  return { status, body: { json } };
}

export function bodyText(answer: Answer): string {
  return 'text' in answer.body ? answer.body.text : JSON.stringify(answer.body.json);
}
