import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Crew } from '../core/policy/crew.ts';
import type { ChannelMoves } from '../core/ports.ts';
import { findChannel } from '../slack/api/channels.ts';
import type { Workspaces } from '../slack/api/workspaces.ts';

interface CrewChannelPorts {
  crews: ReadonlyMap<string, Crew>;
  moves: Pick<ChannelMoves, 'latest'>;
  log: Logger;
}

/** The channels of crews. A name is looked up once, and the channel stays the crew's when it gets another name. */
export class CrewChannels {
  readonly #ports: CrewChannelPorts;
  /** The ids of channels by their names in the crews file. */
  readonly #ids = new Map<string, string>();

  constructor(ports: CrewChannelPorts) {
    this.#ports = ports;
  }

  /** Returns the id of a crew's channel; null if none is set or exists. Throws what the client throws, and `StoreUnavailable`. */
  async of(crew: string, slack: { client: WebClient; workspaces: Workspaces }): Promise<string | null> {
    const { crews, moves } = this.#ports;
    const channel = crews.get(crew)?.channel ?? null;
    if (channel === null) return null;
    const id = this.#ids.get(channel) ?? (await findChannel(slack, channel));
    if (id === null) return null;
    this.#ids.set(channel, id);
    return moves.latest(id);
  }

  /** Records that a channel has another name from now on. */
  renamed(id: string, name: string): void {
    for (const channel of new Set([...this.#ports.crews.values()].map((crew) => crew.channel))) {
      if (channel === null || channel === id) continue;
      if (channel.replace(/^#/, '') === name) this.#ids.set(channel, id);
      else if (this.#ids.get(channel) === id)
        this.#ports.log.warn(
          { channel: id },
          'the channel of a crew was renamed: set its new name, or its id, before the next start',
        );
    }
  }
}
