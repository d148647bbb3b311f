// Fields that settings in the environment and in the crews file have in common.

import { z } from 'zod';

export const NOT_TEXT = 'must be text; put it in quotes';

export const YES_NO = z.boolean({ error: 'must be true or false' });

/** @param missing what to say if there is nothing */
export function text(missing: string) {
  return z.string({ error: ({ input }) => (input === undefined || input === null ? missing : NOT_TEXT) });
}

/** @param parse returns undefined for what breaks the rule */
export function parseText<Value>(rule: string, parse: (written: string) => Value | undefined, notText = rule) {
  return z.string(notText).transform((written, context): Value => {
    const value = parse(written);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', message: rule, input: written });
    return z.NEVER;
  });
}

/** @param whyNot what is wrong with a text; null if nothing is */
export function checkText(whyNot: (written: string) => string | null): z.core.CheckFn<string> {
  return (context) => {
    const message = whyNot(context.value);
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value });
  };
}

/** Returns what is wrong with an http(s) base address, without repeating it; null if it is right. */
export function whyNotHttpAddress(text: string): string | null {
  const problem = whyNotLink(text);
  if (problem) return problem;
  const { search, hash } = new URL(text);
  return search !== '' || hash !== '' ? 'must not contain a ? or a #' : null;
}

/** Returns what is wrong with a link for people; null if it is right. */
export function whyNotLink(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an address such as https://example.com';
  return url.username !== '' || url.password !== '' ? 'must not contain a user name or a password' : null;
}

/** Returns what is wrong with an address that receives secrets, which nobody may read on the way. */
export function whyNotSafeAddress(text: string): string | null {
  const isSafe = URL.canParse(text) && (new URL(text).protocol === 'https:' || isLoopback(text));
  return whyNotHttpAddress(text) ?? (isSafe ? null : NOT_SAFE);
}

export const NOT_SAFE = 'must start with https://, except on this machine itself';

/** Returns true if data for this host never leave the machine. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

/** The id or name of a channel, without the # before a name. */
export const CHANNEL = z
  .string(NOT_TEXT)
  .transform((channel) => channel.replace(/^#/, ''))
  .pipe(z.string().regex(/^[^\s#,]+$/, 'must be the id (C0123456789) or the name of one channel'));
