import { isObject, parseJson } from '../json.ts';

/** The same notification as another deployment might write it. */
export function reshaped(
  body: string,
  { wrapIn, rename }: { wrapIn?: string | undefined; rename: Readonly<Record<string, string>> },
): string {
  const payload = parseJson(body);
  const fields = Object.entries(isObject(payload) ? payload : {});
  const renamed = Object.fromEntries(fields.map(([name, value]) => [rename[name] ?? name, value]));
  return JSON.stringify(wrapIn === undefined ? renamed : { [wrapIn]: renamed });
}
