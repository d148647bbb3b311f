/** Where a person sets out to sign in. */
export function signInUrlAt(publicUrl: string, secret: string): string {
  return `${publicUrl}/step-up/${secret}`;
}

/** Where the provider sends browsers back to. */
export function redirectUriAt(publicUrl: string): string {
  return `${publicUrl}/step-up/callback`;
}
