import type { CrewService } from '../../src/sandbox/crew-service/service.ts';
import { approvalSettings, notifyOf, type PolicyName } from './policies.ts';

/** The crews file of a world whose n-th crew has the n-th policy. */
export function crewsFile(service: CrewService, names: readonly string[], policies: readonly PolicyName[]): string {
  const entries = names.map((name, i) => ({
    name,
    base_url: service.baseUrlOf(name),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a crews file names a variable
    token: '${TOKEN_OF_CREWS}',
    channel: `C0ROOM${i + 1}X`,
    approval: approvalSettings(policies[i] ?? 'everybody', i + 1),
    notify: notifyOf(policies[i] ?? 'everybody'),
  }));
  // JSON is YAML.
  return JSON.stringify({ crews: entries });
}
