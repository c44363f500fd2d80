/** An event of a stream, as a browser's EventSource would deliver it. */
export type ServerEvent = { readonly event: string; readonly id: string; readonly data: unknown };

/** Reads server-sent events from an address until it is closed, or the server ends the stream. */
export class EventReader {
  readonly events: ServerEvent[] = [];
  readonly response: Response;
  /** What a browser would send as Last-Event-ID. */
  lastId = '';
  ended = false;
  readonly #stop: AbortController;

  private constructor(response: Response, stop: AbortController) {
    this.response = response;
    this.#stop = stop;
    this.#read().catch(() => undefined);
  }

  static async open(url: string, headers: Record<string, string>): Promise<EventReader> {
    const stop = new AbortController();
    return new EventReader(await fetch(url, { headers, signal: stop.signal }), stop);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(): Promise<void> {
    let text = '';
    try {
      const decoder = new TextDecoder();
      for await (const chunk of this.response.body!) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop()!;
        for (const block of blocks) this.#take(block);
      }
    } finally {
      this.ended = true;
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block
        .split('\n')
        .filter(line => !line.startsWith(':'))
        .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
    );
    this.lastId = fields.get('id') ?? this.lastId;
    const data = fields.get('data');
    if (data !== undefined) {
      this.events.push({ event: fields.get('event')!, id: this.lastId, data: JSON.parse(data) });
    }
  }
}
