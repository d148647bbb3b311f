/**
 * A Slack workspace on this machine, for tests of any Slack app: start it, point the app at it, act in it as people, and
 * look at what they see. See README.md.
 */
// biome-ignore lint/performance/noBarrelFile: what the package offers
export { createRemoteClient } from './driver/client.ts';
export { createPerson, type Person, PersonProblemError } from './driver/person.ts';
export { homeText, modalText, unopenedText, visibleText } from './driver/visible-text.ts';
export type { PageControl } from './page-controls.ts';
export { pageFolder } from './page-folder.ts';
export type { Message, OpenView, Snapshot, WorkflowRun } from './people-api.ts';
export type { Fault, FaultEffect } from './runtime/faults.ts';
export type { AppSettings } from './runtime/installed-app.ts';
export { ManifestError, readManifest } from './runtime/manifest.ts';
export { type SlackWorkspace, startSlackWorkspace } from './start-slack-workspace.ts';
export { asOrganisation, DEFAULT_SEED, type Seed } from './state/seed.ts';
export type { BrokenRule, WireEntry } from './wire-entry.ts';
export type { Workflow } from './workflow.ts';
export type { WorkspaceOptions } from './workspace-options.ts';
