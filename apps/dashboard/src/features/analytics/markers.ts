import type { Edit } from '@signpost/contract';
import { analyticsText } from '../../strings/analytics.ts';
import { shownUrl } from '../../ui/format.ts';
import type { Bucket } from './buckets.ts';

/** A change of the code that may explain what the chart shows. */
export type Marker = {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  /** Where it stands on the chart, in bars from the left: 2.5 is the middle of the third. */
  readonly place: number;
};

/** Changes of destination and status while the chart lasts, oldest first. */
export function markersOf(edits: readonly Edit[], buckets: readonly Bucket[]): readonly Marker[] {
  return edits
    .flatMap(edit => {
      const text = textOf(edit);
      const atMs = Date.parse(edit.at);
      const index = buckets.findIndex(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
      if (text === null || index < 0) return [];
      const { startMs, endMs } = buckets[index]!;
      return [{ id: edit.id, at: edit.at, text, place: index + (atMs - startMs) / (endMs - startMs) }];
    })
    .sort((a, b) => a.place - b.place);
}

function textOf({ field, to }: Edit): string | null {
  const { markers } = analyticsText;
  if (field === 'destination_url') return markers.destination(shownUrl(to ?? ''));
  if (field !== 'status') return null;
  return to === 'paused' ? markers.paused : to === 'active' ? markers.resumed : markers.status;
}
