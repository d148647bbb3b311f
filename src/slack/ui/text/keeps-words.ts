const WORDS = /[\p{L}\p{N}]+/gu;
const ENTITIES = /&(?:#?\w{1,31});/g;

/** Whether a rendering shows every word of its source: what a person is asked to judge must not be hidden in marks. */
export function keepsWords(source: string, shown: string): boolean {
  const seen = new Set(shown.match(WORDS));
  return (source.replace(ENTITIES, ' ').match(WORDS) ?? []).every((word) => seen.has(word));
}
