import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type SignInLinks, StoreUnavailable } from '../core/ports.ts';
import { linkIdOf } from '../redis/sign-in-links.ts';
import { approveSignedIn, type SigningContext } from '../slack/features/card/sign-in.ts';
import { languageOf, type Sayings } from '../slack/language/say.ts';
import { type Flow, type IdentityProvider, ProviderUnavailable, type SignInFailure } from './identity-provider.ts';
import { type PageAnswer, page, redirect } from './page.ts';

// The pages on which people sign in to approve. A link leads to the identity provider, and is used up only once the browser is back, so
// that programs that look at links before people do no harm.

export interface StepUpPages {
  /** @param path the decoded segments of the path. Null if there is no such page. */
  find(path: readonly string[]): StepUpPage | null;
}

export type StepUpPage = (request: PageRequest) => Promise<PageAnswer>;

interface PageRequest {
  /** The query, without its question mark. */
  query: string;
  cookies: string | undefined;
  acceptLanguage: string | undefined;
}

/** The reason why a sign-in approved nothing. */
type Trouble =
  | SignInFailure
  /** The link was used, has expired, or never existed. */
  | 'unknown-link'
  | 'other-browser'
  | 'other-person'
  /** Slack doesn't say which address the person has. */
  | 'unknown-person'
  | 'provider-away'
  | 'store-away';

interface StepUpContext extends SigningContext {
  publicUrl: string;
  provider: IdentityProvider;
  links: SignInLinks;
  sayings: Sayings;
}

export function createStepUpPages(context: StepUpContext): StepUpPages {
  return {
    find([top, name, ...rest]) {
      if (top !== 'step-up' || name === undefined || rest.length > 0) return null;
      if (name === 'callback') return (request) => answering(context, request, () => comeBack(context, request));
      return (request) => answering(context, request, () => setOut(context, name, request));
    },
  };
}

/** The result of a page: another page, or a trouble, which is shown in the person's language if the person is known. */
type Step = Promise<PageAnswer | { trouble: Trouble; personId?: string }>;

async function answering(context: StepUpContext, request: PageRequest, step: () => Step): Promise<PageAnswer> {
  const done = await step().catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return { trouble: 'store-away' as const };
    if (!(error instanceof ProviderUnavailable)) throw error;
    context.log.error({ reason: error.reason }, 'the identity provider gave no usable answer');
    return { trouble: 'provider-away' as const };
  });
  if ('body' in done) return done;
  const { trouble } = done;
  const personId = 'personId' in done ? done.personId : undefined;
  context.log.info({ trouble, by: personId }, 'a person was not signed in to approve');
  const [preferred = ''] = (request.acceptLanguage ?? '').split(',', 1);
  const language = personId === undefined ? languageOf(preferred) : await context.people.languageOf(personId);
  const say = context.sayings.in(language);
  return page({
    status: STATUS[trouble],
    language,
    title: say(`sign-in.${trouble}-heading`),
    text: say(`sign-in.${trouble}`),
  });
}

const STATUS: Record<Trouble, number> = {
  'unknown-link': 404,
  'other-browser': 400,
  cancelled: 403,
  'not-verified': 403,
  'not-fresh': 403,
  'too-weak': 403,
  'no-address': 403,
  'other-person': 403,
  'unknown-person': 503,
  'provider-away': 503,
  'store-away': 503,
};

/** Sends a browser to the provider, as often as the link is opened within its time. */
async function setOut({ publicUrl, provider, links }: StepUpContext, secret: string, request: PageRequest): Step {
  const linkId = isSecret(secret) ? linkIdOf(secret) : null;
  if (linkId === null || (await links.find(linkId)) === null) return { trouble: 'unknown-link' };
  const jar = cookieAt(publicUrl);
  // One browser may follow several links at a time.
  const browser = jar.read(request.cookies) ?? randomBytes(32).toString('base64url');
  return redirect(await provider.signInUrl(flowOf(browser, linkId)), jar.set(browser));
}

/** No honest answer of a provider is longer. */
const MOST_QUERY = 8_192;

async function comeBack(context: StepUpContext, { query, cookies }: PageRequest): Step {
  const { publicUrl, provider, links, directory } = context;
  const states = query.length > MOST_QUERY ? [] : new URLSearchParams(query).getAll('state');
  const [state = '', ...more] = states;
  const [linkId = ''] = state.split('.');
  const browser = cookieAt(publicUrl).read(cookies);
  if (browser === null || more.length > 0 || !isSecret(linkId)) return { trouble: 'other-browser' };
  const flow = flowOf(browser, linkId);
  if (!isSame(flow.state, state)) return { trouble: 'other-browser' };
  const link = await links.find(linkId);
  if (link === null) return { trouble: 'unknown-link' };
  const personId = link.by.id;
  const result = await provider.signedIn(query, flow, { since: link.at });
  if (!result.ok) return { trouble: result.refusal, personId };
  const { signIn, email } = result.value;
  const addresses = (await directory.account(personId))?.identities.filter((identity) => identity.includes('@')) ?? [];
  if (addresses.length === 0) return { trouble: 'unknown-person', personId };
  if (!addresses.includes(email)) return { trouble: 'other-person', personId };
  if ((await links.use(linkId)) === null) return { trouble: 'unknown-link', personId };
  const say = context.sayings.in(await context.people.languageOf(personId));
  const { isApproved, title, text, typed } = await approveSignedIn(context, { wanted: link, signIn, linkId }, say);
  return page({
    status: isApproved ? 200 : 409,
    language: say.language,
    title,
    text,
    ...(typed !== null && { typed: { intro: say('sign-in.typed'), text: typed } }),
  });
}

/** Returns true for 32 random bytes, or a hash of them. */
function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/**
 * Derives what ties a sign-in to one browser and one link from a secret of that browser. Nothing is stored, nobody else can bring it
 * back, and it survives a restart of the bot.
 */
function flowOf(browser: string, linkId: string): Flow {
  const derive = (name: string) => createHmac('sha256', browser).update(`${name}:${linkId}`).digest('base64url');
  return { state: `${linkId}.${derive('state')}`, nonce: derive('nonce'), verifier: derive('verifier') };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The lifetime of a link. */
const COOKIE_S = 300;

/** Makes a cookie of this host alone, where browsers allow it: https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes */
function cookieAt(publicUrl: string) {
  const isSecure = publicUrl.toLowerCase().startsWith('https:');
  const name = isSecure ? '__Host-signoff-sign-in' : 'signoff-sign-in';
  return {
    set: (value: string) =>
      `${name}=${value}; Path=/; Max-Age=${COOKIE_S}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    read(cookies = ''): string | null {
      const pairs = cookies.split(';').map((pair) => pair.trim().split('='));
      const [, value = ''] = pairs.find(([each]) => each === name) ?? [];
      return isSecret(value) ? value : null;
    },
  };
}
