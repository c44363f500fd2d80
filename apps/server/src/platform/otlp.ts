import type { TraceContext } from '../kernel/trace-context.ts';

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer';
export type Attributes = Readonly<Record<string, string | number>>;

export type FinishedSpan = {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: TraceContext;
  readonly parentId: string | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly error: unknown;
};

/** SpanKind and StatusCode of the protocol. */
const spanKinds: Readonly<Record<SpanKind, number>> = { server: 2, client: 3, producer: 4, consumer: 5 };
const statusError = 2;

/** The JSON body of an ExportTraceServiceRequest (OTLP 1.x). */
export function exportBody(service: string, spans: readonly FinishedSpan[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes({ 'service.name': service }) },
        scopeSpans: [{ scope: { name: 'signpost' }, spans: spans.map(toSpan) }],
      },
    ],
  };
}

const toSpan = ({ name, kind, context, parentId, startMs, endMs, attributes, error }: FinishedSpan) => ({
  ...context,
  ...(parentId ? { parentSpanId: parentId } : {}),
  name,
  kind: spanKinds[kind],
  startTimeUnixNano: nanos(startMs),
  endTimeUnixNano: nanos(endMs),
  attributes: toAttributes(attributes),
  ...(error === undefined
    ? {}
    : { status: { code: statusError, message: error instanceof Error ? error.name : 'Error' } }),
});

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));

/** As a string: a double cannot hold it exactly. */
const nanos = (ms: number) => String(BigInt(Math.round(ms * 1_000)) * 1_000n);
