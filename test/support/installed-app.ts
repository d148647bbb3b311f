import { readFileSync } from 'node:fs';
import { readManifest } from '../../src/sandbox/slack-workspace/runtime/manifest.ts';

const MANIFESTS = {
  default: readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8'),
  workflows: readFileSync(new URL('../../deploy/manifest-workflows.yml', import.meta.url), 'utf8'),
};

/** `workflows`: the one that also has the steps for Workflow Builder. */
export type ManifestName = keyof typeof MANIFESTS;

/** Optional, but needed where a policy names user groups. */
const GRANTED = ['usergroups:read'];

/** The app that a manifest declares, with these optional scopes as well. */
export function installedApp(
  more: readonly string[] = [],
  manifest: ManifestName = 'default',
): ReturnType<typeof readManifest> {
  return readManifest(MANIFESTS[manifest], { granted: [...GRANTED, ...more] });
}
