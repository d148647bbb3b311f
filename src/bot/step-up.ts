import { redirectUriAt } from '../step-up/addresses.ts';
import type { StepUpPages } from '../step-up/routes.ts';
import type { Parts } from './parts.ts';

/** Null where nothing takes a sign-in: then a start needn't wait for the client of OpenID Connect. */
export async function stepUpPagesOf({ config: { publicUrl, signIn }, ...parts }: Parts): Promise<StepUpPages | null> {
  if (signIn === null) return null;
  const [{ createIdentityProvider }, { createStepUpPages }] = await Promise.all([
    import('../step-up/identity-provider.ts'),
    import('../step-up/routes.ts'),
  ]);
  const { signInLinks: links, ledger, log, clients, shownOutputs } = parts;
  return createStepUpPages({
    ...parts,
    outputs: shownOutputs,
    client: clients.interactive,
    publicUrl,
    provider: createIdentityProvider(signIn, { redirectUri: redirectUriAt(publicUrl), log }),
    links,
    recordRefusal: ledger.recordRefusal,
  });
}
