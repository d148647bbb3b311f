/** The settings that make up a policy and what belongs to it, as the crews file names them. */
export type PolicySetting =
  | 'approvers'
  | 'quorum'
  | 'self_approval'
  | 'guests'
  | 'undo'
  | 'min_review'
  | 'remind_after'
  | 'escalate_after'
  | 'escalate_to'
  | 'expire_after'
  | 'on_expiry'
  | 'expiry_text'
  | 'hours'
  | 'require_user_token'
  | 'starters';

/**
 * Where the settings of a crew stand, as people are told: `crews.yml, line 12`, or a variable. By their path within the crew,
 * such as `approval.tasks.0.quorum`. What is left out has no place.
 */
export type PolicyPlaces = ReadonlyMap<string, string>;

/**
 * Where a setting stands that applies to a task, or to the tasks without a policy of their own; null for a default.
 * @param task the place of its pattern among the crew's; null without one
 */
export function placeOf(places: PolicyPlaces, setting: PolicySetting | 'match', task: number | null): string | null {
  const own = task === null ? undefined : places.get(`approval.tasks.${task}.${setting}`);
  return own ?? places.get(`approval.${setting}`) ?? places.get(setting) ?? null;
}
