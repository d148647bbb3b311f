export type Choice = {
  value: string;
  text: string;
  /** Shown below the text: `description` of https://docs.slack.dev/reference/block-kit/composition-objects/option-object. */
  note?: string;
  /** Another name that it is found by. */
  alias?: string;
};

export type Choices = { label?: string; options: Choice[] }[];

/**
 * The choices that have what was typed in their names, whatever its case and accents: “a user can type a part or all of
 * an option string to filter the list”. https://docs.slack.dev/reference/block-kit/block-elements/select-menu-element
 */
export function filterChoices(choices: Choices, search: string, without: readonly string[] = []): Choices {
  const query = bare(search.trim());
  return choices
    .map(({ options, ...group }) => ({
      ...group,
      options: options.filter(
        ({ value, text, alias = '' }) => !without.includes(value) && `${bare(text)}\n${bare(alias)}`.includes(query),
      ),
    }))
    .filter(({ options }) => options.length > 0);
}

function bare(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Read out as the list gets shorter. */
export function resultsText(count: number): string {
  if (count === 0) return 'No results';
  return count === 1 ? '1 result' : `${count} results`;
}

const PAGE = 10;

/** The number of the option that this key leads to; undefined for other keys. */
export function markAfter(key: string, at: number, count: number): number | undefined {
  const last = count - 1;
  const to = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
    PageDown: Math.min(at + PAGE, last),
    PageUp: Math.max(at - PAGE, 0),
  }[key];
  return count === 0 ? undefined : to;
}
