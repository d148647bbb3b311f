import { z } from 'zod';

/** What a `Bearer` header can hold and its receiver can read: visible ASCII, https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
const bearerToken = z.string().regex(/^[\x21-\x7e]+$/, { error: 'must be visible ASCII characters without spaces' });

/** https://www.rfc-editor.org/rfc/rfc7617#section-2 */
const password = z.string().regex(/^\P{Cc}*$/u, { error: 'must not contain control characters' });
const username = password.regex(/^[^:]*$/, { error: 'must not contain a colon' });

const authentication = z.discriminatedUnion('strategy', [
  z.object({ strategy: z.literal('bearer'), token: bearerToken }),
  z.object({ strategy: z.literal('basic'), username, password }),
]);

/** Credentials in it would neither be sent nor kept secret: https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4 */
export const webhookAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine(hasNoCredentials, { error: 'must not contain a user name or password' });

export const humanInputWebhook = z.object({ url: webhookAddress, authentication: authentication.optional() });

function hasNoCredentials(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}
