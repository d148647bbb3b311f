import { z } from 'zod';
import { parse, type TextKey, TITLE_LIMIT, textKey } from '../ui/button-value.ts';
import { cut } from '../ui/text/cut.ts';

/** What a button carries that leads to a page of a text. */
export function pageValue(key: TextKey, page: number): string {
  return JSON.stringify({ ...key, title: cut(key.title, TITLE_LIMIT), page });
}

const pageKey = textKey.extend({ page: z.number().int().min(0) });

/** The page that a *Previous* or *Next* button leads to; null if we didn't write the value. */
export function parsePage(value: string | undefined): { key: TextKey; page: number } | null {
  const found = parse(pageKey, value);
  if (!found) return null;
  const { page, ...key } = found;
  return { key, page };
}
