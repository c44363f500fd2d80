import { toTraceparent } from '../../kernel/trace-context.ts';
import type { Tracer } from '../../platform/tracing.ts';
import type { LogAppender } from './scan-log.ts';

/**
 * Starts a trace per batch, not per scan: scans share appends, and a trace per scan would cost more than the scan. The log
 * propagates the trace; a batch that is spooled loses it.
 */
export function traceAppends(log: LogAppender, tracer: Tracer): LogAppender {
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
