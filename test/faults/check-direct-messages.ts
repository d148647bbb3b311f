import type { Evidence } from './evidence.ts';

/** Nobody gets two direct messages about one request, whatever became of the posting. */
export function directMessageProblems(
  { messages, deleted }: Pick<Evidence, 'messages' | 'deleted'>,
  refs: ReadonlySet<string | undefined>,
): string[] {
  const sent = [...messages, ...deleted].filter(({ key, ref }) => key?.startsWith('direct:') && refs.has(ref));
  const names = sent.map(({ ref, key }) => `${key} of ${ref}`);
  const again = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  return [...again].map((name) => `${name} was posted more than once`);
}
