import { toTraceparent } from '../kernel/trace-context.ts';
import type { Tracer } from '../platform/tracing.ts';
import type { LogAppender } from './scan-log.ts';

/**
 * A trace begins with a batch, not with a scan: scans share appends, and one that had a trace of its own would cost more
 * than it. The log carries the trace on; one that goes by the spool ends there.
 */
export function traceAppends<Log extends LogAppender>(log: Log, tracer: Tracer): Log {
  return {
    ...log,
    async append(batch, timeoutMs, options) {
      const span = tracer.start('scans append', 'producer');
      if (!span) return log.append(batch, timeoutMs, options);
      const attributes = { 'signpost.batch_id': batch.id, 'signpost.bytes': batch.bytes.length };
      try {
        await log.append(batch, timeoutMs, { ...options, traceparent: toTraceparent(span.context) });
        span.end(attributes);
      } catch (error) {
        span.end(attributes, error);
        throw error;
      }
    },
  };
}
