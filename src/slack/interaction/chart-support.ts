/** Whether the workspace takes charts, as far as this process knows: Slack brings them to one after the other. */
export class ChartSupport {
  isRefused = false;
}
