import { createIdentityProvider } from '../step-up/identity-provider.ts';
import { createStepUpPages, redirectUriAt, type StepUpPages } from '../step-up/routes.ts';
import type { Parts, Wake } from './parts.ts';

/** Null where nothing takes a sign-in. */
export function stepUpPagesOf({ config: { publicUrl, signIn }, ...parts }: Parts, wake: Wake): StepUpPages | null {
  if (signIn === null) return null;
  const { signInLinks: links, ledger } = parts;
  return createStepUpPages({
    ...parts,
    client: parts.clients.interactive,
    publicUrl,
    provider: createIdentityProvider(signIn, { redirectUri: redirectUriAt(publicUrl), log: parts.log }),
    links,
    recordRefusal: ledger.recordRefusal,
    wake,
  });
}
