import { z } from 'zod';
import { parse } from '../ui/button-value.ts';
import { LISTS, type ListName } from './home-state.ts';

const VALUE = z.object({ list: z.enum(LISTS), page: z.number().int().min(0) });

/** What a button carries that leads to a page of a list. */
export function pageValue(to: { list: ListName; page: number }): string {
  return JSON.stringify(to);
}

/** Null if we didn't write the value. */
export function parsePageValue(value: string): { list: ListName; page: number } | null {
  return parse(VALUE, value);
}
