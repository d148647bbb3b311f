/** What a browser shows at the end of the redirects. */
export interface ShownPage {
  status: number;
  address: string;
  headers: Headers;
  /** Without markup. */
  text: string;
}

/** Follows links, keeps cookies, and submits forms, as a browser does. */
export interface HeadlessBrowser {
  open(address: string): Promise<ShownPage>;
  /** Submits the form of a page. */
  submit(page: ShownPage, fields: Record<string, string>): Promise<ShownPage>;
  /** Opens a link to the provider's page and signs in there. */
  signIn(link: string, address: string): Promise<ShownPage>;
  /** The addresses that it was led to, oldest first. */
  history: string[];
}

const MOST_REDIRECTS = 10;

export function openHeadlessBrowser(): HeadlessBrowser {
  const cookies = new Map<string, string>();
  const history: string[] = [];

  async function load(address: string, form?: Record<string, string>): Promise<ShownPage> {
    let at = new URL(address);
    let body = form && new URLSearchParams(form);
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
      history.push(at.href);
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const method = body ? 'POST' : 'GET';
      const answer = await fetch(at, { method, redirect: 'manual', headers: { cookie }, ...(body && { body }) });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const next = answer.headers.get('location');
      const html = await answer.text();
      const posted = formThatSubmitsItself(html);
      if (posted) {
        at = new URL(posted.action, at);
        body = posted.fields;
        continue;
      }
      if (next === null)
        return { status: answer.status, address: at.href, headers: answer.headers, text: textOf(html) };
      at = new URL(next, at);
      body = undefined;
    }
    throw new Error(`${address} leads in circles`);
  }

  const submit = (page: ShownPage, fields: Record<string, string>) => load(page.address, fields);
  return {
    open: (address) => load(address),
    submit,
    signIn: async (link, address) => submit(await load(link), { address }),
    history,
  };
}

/** As a script on the page would have it. */
function formThatSubmitsItself(html: string): { action: string; fields: URLSearchParams } | null {
  const [, action] = /<form[^>]* action="([^"]*)"/.exec(html) ?? [];
  if (action === undefined || !html.includes('document.forms[0].submit()')) return null;
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of inputs) fields.append(name, value);
  return { action, fields };
}

function textOf(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
