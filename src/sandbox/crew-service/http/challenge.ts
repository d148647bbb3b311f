/** The `WWW-Authenticate` header of a 401 or 403: https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export function challenge(authorization: string | undefined): Readonly<Record<string, string>> {
  // Without credentials, no error is named (section 3.1).
  return { 'www-authenticate': authorization === undefined ? BEARER : `${BEARER}, error="invalid_token"` };
}

const BEARER = 'Bearer realm="crew service"';

/** The token is valid, but its rights don't suffice. */
export const NEEDS_ORGANISATION = { 'www-authenticate': `${BEARER}, error="insufficient_scope"` };
