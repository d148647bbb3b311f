/** Slack brings what is new to one workspace after the other, and may have done so by now. */
const REMEMBERED_MS = 60 * 60_000;

/** Whether the workspace takes something that not all workspaces take, as far as this process has learned within the last hour. */
export class RecentRefusal {
  #until = Number.NEGATIVE_INFINITY;

  get isRefused(): boolean {
    return performance.now() < this.#until;
  }

  refuse(): void {
    this.#until = performance.now() + REMEMBERED_MS;
  }
}
