import { createHash } from 'node:crypto';

/** The answer to a browser. */
export interface PageAnswer {
  status: number;
  contentType: string;
  body: string;
  headers: Record<string, string>;
}

/** A page of one or two sentences, as plain text. */
interface Page {
  status: number;
  language: string;
  title: string;
  text: string;
  /** The unchanged text that the person had typed. */
  typed?: { intro: string; text: string } | undefined;
}

const STYLE = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}',
  'main{max-width:32rem;margin:15vh auto 0;padding:0 1.5rem}',
  'h1{font-size:1.5rem;line-height:1.3;margin:0 0 .5rem}',
  'p{margin:0}',
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;padding:1rem;border:1px solid}',
].join('');

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page runs and loads nothing, can't be framed, and its address goes nowhere. */
const SEALED = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
};

export function page({ status, language, title, text, typed }: Page): PageAnswer {
  const body = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)} · Signoff</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    ...(typed ? [`<p>${escapeHtml(typed.intro)}</p><pre>\n${escapeHtml(typed.text)}</pre>`] : []),
    '</main></body></html>',
  ].join('\n');
  return { status, contentType: 'text/html; charset=utf-8', body, headers: SEALED };
}

export function redirect(to: URL, cookie: string): PageAnswer {
  const headers = { ...SEALED, location: to.href, 'set-cookie': cookie };
  return { status: 303, contentType: 'text/plain; charset=utf-8', body: '', headers };
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
