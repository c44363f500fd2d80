import { randomBytes } from 'node:crypto';

/** A position in a trace, by W3C Trace Context. */
export type TraceContext = { readonly traceId: string; readonly spanId: string };

export const newSpanId = () => randomBytes(8).toString('hex');
export const newTraceId = () => randomBytes(16).toString('hex');

/** The header `traceparent` of a sampled span; for other spans no header is sent. */
export const toTraceparent = ({ traceId, spanId }: TraceContext) => `00-${traceId}-${spanId}-01`;

/** Null if it is not a valid traceparent, or not sampled. */
export function parseTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(text ?? '') ?? [];
  return traceId && spanId ? { traceId, spanId } : null;
}
