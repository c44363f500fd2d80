import { newSpanId, newTraceId, type TraceContext } from '../kernel/trace-context.ts';
import { runEvery } from './background-jobs.ts';
import { type Attributes, exportBody, type FinishedSpan, type SpanKind } from './otlp.ts';

/** Makes spans and sends them in batches. No caller waits for the sending, whatever its outcome. */
export type Tracer = {
  /** Null if it is not sampled. A span with a parent is sampled, since its parent was. */
  start(name: string, kind: SpanKind, parent?: TraceContext): Span | null;
  /** Sends the spans that are left. */
  close(): Promise<void>;
};

export type Span = {
  readonly context: TraceContext;
  end(attributes: Attributes, error?: unknown): void;
};

type TracerOptions = {
  /** Base address of an OpenTelemetry collector, as http://host:4318. */
  readonly endpoint: string;
  /** Sent with every request, such as the API key of a hosted collector. */
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly sampleRatio: number;
  /** Called for spans that were not sent because the collector is unavailable or too slow. */
  readonly onDropped: (spans: number, error: unknown) => void;
};

const [sendEveryMs, sendTimeoutMs, maxBatch, maxPending] = [1_000, 5_000, 500, 5_000];

export function createTracer({ endpoint, headers, service, sampleRatio, onDropped }: TracerOptions): Tracer {
  let pending: FinishedSpan[] = [];
  let sending: Promise<void> = Promise.resolve();
  const stopFlushing = runEvery(sendEveryMs, flush);

  function flush(): void {
    const spans = pending;
    pending = [];
    for (let from = 0; from < spans.length; from += maxBatch) {
      const batch = spans.slice(from, from + maxBatch);
      sending = sending.then(() => send(batch)).catch(error => onDropped(batch.length, error));
    }
  }

  async function send(spans: readonly FinishedSpan[]): Promise<void> {
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(exportBody(service, spans)),
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The collector answered ${response.status}`);
  }

  return {
    start(name, kind, parent) {
      if (!parent && Math.random() >= sampleRatio) return null;
      const context = { traceId: parent?.traceId ?? newTraceId(), spanId: newSpanId() };
      const startMs = nowMs();
      return {
        context,
        end(attributes, error) {
          if (pending.length >= maxPending) return onDropped(1, new Error('Too many spans are pending'));
          pending.push({
            name,
            kind,
            context,
            parentId: parent?.spanId,
            startMs,
            endMs: nowMs(),
            attributes,
            error,
          });
        },
      };
    },
    async close() {
      stopFlushing();
      flush();
      await sending;
    },
  };
}

const nowMs = () => performance.timeOrigin + performance.now();
