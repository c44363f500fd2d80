import { newSpanId, newTraceId, type TraceContext } from '../kernel/trace-context.ts';
import { type Attributes, exportBody, type FinishedSpan, type SpanKind } from './otlp.ts';

/** Makes spans and sends them on, some at a time. Whatever becomes of them, nobody waits for it. */
export type Tracer = {
  /** Null where it is not sampled. What has a parent is sampled, since the parent was. */
  start(name: string, kind: SpanKind, parent?: TraceContext): Span | null;
  /** Sends what is left. */
  close(): Promise<void>;
};

export type Span = {
  readonly context: TraceContext;
  end(attributes: Attributes, error?: unknown): void;
};

export type TracerOptions = {
  /** Of an OpenTelemetry collector, as http://host:4318. */
  readonly endpoint: string;
  readonly service: string;
  readonly sampleRatio: number;
  /** Spans that were not sent: the collector is away or too slow. */
  readonly onDropped: (spans: number, error: unknown) => void;
};

const [sendEveryMs, sendTimeoutMs, mostAtOnce, mostWaiting] = [1_000, 5_000, 500, 5_000];

export function createTracer({ endpoint, service, sampleRatio, onDropped }: TracerOptions): Tracer {
  let waiting: FinishedSpan[] = [];
  let sending: Promise<void> = Promise.resolve();
  const timer = setInterval(() => flush(), sendEveryMs).unref();

  function flush(): void {
    const spans = waiting;
    waiting = [];
    for (let from = 0; from < spans.length; from += mostAtOnce) {
      const part = spans.slice(from, from + mostAtOnce);
      sending = sending.then(() => send(part)).catch(error => onDropped(part.length, error));
    }
  }

  async function send(spans: readonly FinishedSpan[]): Promise<void> {
    const response = await fetch(`${endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
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
          if (waiting.length >= mostWaiting) return onDropped(1, new Error('Too many spans wait'));
          waiting.push({
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
      clearInterval(timer);
      flush();
      await sending;
    },
  };
}

const nowMs = () => performance.timeOrigin + performance.now();
