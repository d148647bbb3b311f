/** Slack brings new features to one workspace after the other, so a refusal isn't final. */
const REMEMBERED_MS = 60 * 60_000;

/** Remembers for an hour that the workspace refuses something that not all workspaces accept. */
export class RecentRefusal {
  #until = Number.NEGATIVE_INFINITY;

  get isRefused(): boolean {
    return performance.now() < this.#until;
  }

  refuse(): void {
    this.#until = performance.now() + REMEMBERED_MS;
  }
}
