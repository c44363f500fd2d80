import { formatId } from '../kernel/ids.ts';
import { parseTraceparent } from '../kernel/trace-context.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { Job } from './lines.ts';
import type { Outcome } from './webhook.ts';

/** Ends the span of a try with what came of it. */
export type AttemptTrace = (outcome: Outcome) => void;

/** A span for a try of a message whose scan is traced. Nothing of the URL is in it: its path and query may hold a secret. */
export function traceAttempt(
  tracer: Tracer | undefined,
  { message: { endpointId, trace }, attempts }: Pick<Job, 'message' | 'attempts'>,
): AttemptTrace | null {
  if (!tracer || !trace) return null;
  const parent = parseTraceparent(trace);
  const span = parent && tracer.start('webhook attempt', 'client', parent);
  if (!span) return null;
  return ({ error, responseStatus }) => {
    const attributes = {
      'signpost.endpoint': formatId('whk', endpointId),
      'signpost.attempt': attempts + 1,
      'signpost.outcome': error ?? 'delivered',
      ...(responseStatus === null ? {} : { 'http.response.status_code': responseStatus }),
    };
    span.end(attributes, error ?? undefined);
  };
}
