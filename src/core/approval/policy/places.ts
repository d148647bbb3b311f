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

/** Which of a crew's policies is meant: its place among those of tasks, or null for the usual one. */
type TaskIndex = number | null;

/** Where settings stand that apply to a task, each place once. There is none for those that are left out. */
export function placesOf(
  places: PolicyPlaces,
  settings: readonly (PolicySetting | 'match')[],
  task: TaskIndex,
): string[] {
  const found = settings.map((setting) => {
    const own = task === null ? undefined : places.get(`approval.tasks.${task}.${setting}`);
    return own ?? places.get(`approval.${setting}`) ?? places.get(setting);
  });
  return [...new Set(found.filter((place) => place !== undefined))];
}
