import { cleanText } from '../../../core/text.ts';

/** Longer texts count as JSON by how they begin and end. */
const PARSED_LIMIT = 200_000;

/** The first `most` characters of foreign text as clean Markdown, with JSON as a code block. */
export function markdownSource(text: string, most = text.length): string {
  const cleaned = cleanText(text.slice(0, most));
  return isJson(text) ? fenced(cleaned.trim()) : cleaned;
}

function isJson(text: string): boolean {
  if (!/^\s*(?:\{\s*["}]|\[)/.test(text) || !/[\]}]\s*$/.test(text.slice(-100))) return false;
  if (text.length > PARSED_LIMIT) return /^\s*(?:\{\s*"|\[\s*(?:\{\s*"|\[|"))/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function fenced(code: string): string {
  const longest = Array.from(code.matchAll(/`+/g)).reduce((most, [marks]) => Math.max(most, marks.length), 2);
  const marks = '`'.repeat(longest + 1);
  return `${marks}json\n${code}\n${marks}`;
}
