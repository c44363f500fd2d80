import { formatId } from '../../../kernel/ids.ts';
import { parseTraceparent } from '../../../kernel/trace-context.ts';
import type { Tracer } from '../../../platform/tracing.ts';
import type { AttemptResult } from '../../webhook.ts';
import type { Job } from '../job.ts';

/** Ends the span of an attempt with its result. */
export type AttemptTrace = (result: AttemptResult) => void;

/** A span for an attempt, where the scan is traced. It holds nothing of the URL: path and query may hold a secret. */
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
