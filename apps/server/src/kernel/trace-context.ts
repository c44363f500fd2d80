import { randomBytes } from 'node:crypto';

/** Where in a trace something happens, as W3C Trace Context has it. */
export type TraceContext = { readonly traceId: string; readonly spanId: string };

export const newSpanId = () => randomBytes(8).toString('hex');
export const newTraceId = () => randomBytes(16).toString('hex');

/** The header `traceparent` of something that is sampled; what is not sampled is not told of. */
export const toTraceparent = ({ traceId, spanId }: TraceContext) => `00-${traceId}-${spanId}-01`;

/** Null for what is no traceparent, or not sampled. */
export function parseTraceparent(text: string | undefined): TraceContext | null {
  const [, traceId, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-01$/.exec(text ?? '') ?? [];
  return traceId && spanId ? { traceId, spanId } : null;
}
