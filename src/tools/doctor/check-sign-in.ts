import { takesSignIn } from '../../config/sign-in-settings.ts';
import type { Crew } from '../../core/policy/crew.ts';
import { redirectUriAt } from '../../step-up/addresses.ts';
import { discover, ProviderUnavailable, type SignInSettings } from '../../step-up/identity-provider.ts';
import { doubtful, type Finding, fine, wrong } from './finding.ts';

const ABOUT = 'Identity provider';

interface Use {
  crews: readonly Crew[];
  publicUrl: string;
}

/** Checks by its own description that the identity provider can do what signing in to approve takes. Nobody is signed in. */
export async function checkSignIn(settings: SignInSettings, { crews, publicUrl }: Use): Promise<Finding> {
  const { host } = new URL(settings.issuer);
  try {
    const lacking = lacksOf((await discover(settings)).serverMetadata(), settings);
    if (lacking.length > 0)
      return doubtful(ABOUT, `${host} answers, but says nothing of ${lacking.join(', ')}.`, 'Check what it is set to.');
    if (!crews.some(takesSignIn))
      return doubtful(ABOUT, `${host} answers, but no crew has step_up: true.`, 'Set it, or remove OIDC_ISSUER.');
    const unsure = `whether its client ${settings.clientId} has OIDC_CLIENT_SECRET, and the redirect URI ${redirectUriAt(publicUrl)}`;
    return fine(ABOUT, `${host} answers. Not checked: ${unsure}.`);
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error;
    const advice = 'Check OIDC_ISSUER, DNS, the firewall and the certificate.';
    return wrong(ABOUT, `${host} gives no usable answer to discovery (${error.reason}).`, advice);
  }
}

/**
 * Returns what the provider lacks. A missing list proves nothing.
 * https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata
 */
function lacksOf(metadata: Record<string, unknown>, { acrValues, emailVerified }: SignInSettings): string[] {
  const isListed = (list: string, value: string) => {
    const listed = metadata[list];
    return !Array.isArray(listed) || listed.includes(value);
  };
  return [
    ...(isListed('response_types_supported', 'code') ? [] : ['the authorization code flow']),
    ...(isListed('scopes_supported', 'email') ? [] : ['the scope email']),
    ...(isListed('code_challenge_methods_supported', 'S256') ? [] : ['PKCE with S256']),
    ...(emailVerified === 'assumed' || isListed('claims_supported', 'email_verified')
      ? []
      : ['email_verified, which OIDC_EMAIL_VERIFIED requires']),
    ...acrValues.filter((each) => !isListed('acr_values_supported', each)).map((each) => `the acr ${each}`),
  ];
}
