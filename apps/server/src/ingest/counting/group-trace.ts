import { parseTraceparent } from '../../kernel/trace-context.ts';
import type { Span, Tracer } from '../../platform/tracing.ts';
import type { Group } from '../ingest.ts';

/** The traces of the batches in a group: each gets a span for the shared counting and one for the shared storing. */
export type GroupTrace = { counted(): void; stored(): void; failed(error: unknown): void };

export function traceGroup(tracer: Tracer | undefined, group: Group): GroupTrace | null {
  if (!tracer) return null;
  const traced = group.entries.flatMap(({ position, batch, trace }) => {
    const parent = parseTraceparent(trace);
    return parent ? [{ parent, position, scans: batch.scans.length }] : [];
  });
  if (traced.length === 0) return null;
  const startSpans = (name: string) =>
    traced.map(({ parent, ...entry }) => ({ ...entry, span: tracer.start(name, 'consumer', parent) }));
  let open = startSpans('scans count');
  const endSpans = (error?: unknown) => {
    for (const { span, position, scans } of open) endSpan(span, group, position, scans, error);
    open = [];
  };
  return {
    counted() {
      endSpans();
      open = startSpans('scans store');
    },
    stored: () => endSpans(),
    failed: endSpans,
  };
}

function endSpan(span: Span | null, group: Group, position: number, scans: number, error: unknown): void {
  const attributes = {
    'signpost.shard': group.shard,
    'signpost.position': position,
    'signpost.scans': scans,
    'signpost.entries_together': group.entries.length,
  };
  span?.end(attributes, error);
}
