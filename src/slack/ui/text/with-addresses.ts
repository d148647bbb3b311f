/**
 * Markdown whose links are their text, followed by the address: `[click](https://a.example)` could hide where it leads. Slack
 * makes a link of the address. Whatever else could be a link is split, so that it is read as it is.
 */
export function withAddresses(markdown: string): string {
  if (!markdown.includes('[')) return markdown;
  let marks = '';
  const lines = markdown.split('\n').map((line) => {
    const isCode = marks !== '';
    marks = isCode ? afterCode(line, marks) : (OPENS.exec(line)?.[1] ?? '');
    return isCode ? line : lineWithAddresses(line);
  });
  return lines.join('\n');
}

/** Only what no list or quote can hold counts as code, since the end of those would end it unnoticed. */
const OPENS = /^(`{3,}(?=[^`]*$)|~{3,})/;
const CLOSES = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/** https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function afterCode(line: string, opening: string): string {
  const closing = CLOSES.exec(line)?.[1] ?? '';
  return closing.startsWith(opening) ? '' : opening;
}

const LINK = /!?\[([^[\]]{0,500})\]\(([^\s()]{1,2000})\)/g;

/** What a line has between backticks may be code or not, so that only the marks of links are split there. */
function lineWithAddresses(line: string): string {
  const shown = line.includes('`') ? line : line.replace(LINK, labelled).replace(LINK, labelled);
  return shown.replaceAll('](', '] (').replaceAll(']:', '] :');
}

function labelled(_: string, label: string, address: string): string {
  const isAddress = label === address || `mailto:${label}` === address;
  return label.trim() === '' || isAddress ? address : `${label} (${address})`;
}
