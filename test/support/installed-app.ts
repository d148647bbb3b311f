import { readFileSync } from 'node:fs';
import { readManifest } from '../../src/sandbox/slack-workspace/runtime/manifest.ts';

const MANIFEST = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8');

/** Optional, but needed where a policy names user groups. */
const GRANTED = ['usergroups:read'];

/** The app that the manifest declares, with these optional scopes as well. */
export function installedApp(more: readonly string[] = []): ReturnType<typeof readManifest> {
  return readManifest(MANIFEST, { granted: [...GRANTED, ...more] });
}
