/** Returns the address at which a person begins to sign in. */
export function signInUrlAt(publicUrl: string, secret: string): string {
  return `${publicUrl}/step-up/${secret}`;
}

/** Returns the address to which the provider sends browsers back. */
export function redirectUriAt(publicUrl: string): string {
  return `${publicUrl}/step-up/callback`;
}
