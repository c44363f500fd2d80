import { Text } from '@mantine/core';
import { missingLetter } from '@signpost/qr/frames';
import { useMemo } from 'react';
import { printText } from '../../strings/print.ts';
import { shownUrl } from '../../ui/format.ts';
import { drawable } from '../designs/qr-image.tsx';
import { type PrintJob, sheetOf } from './print-job.ts';
import classes from './print-page.module.css';
import { orderOf, sheetSvg } from './sheet-svg.ts';
import { type PrintedCode, useLogos } from './use-printed-codes.ts';

type Props = {
  readonly job: PrintJob;
  /** Those that are known, which of a long list are the first ones. */
  readonly codes: readonly PrintedCode[];
  readonly count: number;
};

/** The first sheet, drawn here by the same package that prints it. */
export function SheetPreview({ job, codes, count }: Props) {
  const sceneOf = useLogos(codes);
  const src = useMemo(() => {
    const sheet = sheetOf(job);
    const labels = codes.slice(0, sheet.rows * sheet.columns).map(code => ({
      link: code.short_url,
      style: drawable(code.short_url, code.style),
      scene: sceneOf(code.style),
      caption: captionOf(job.caption, code),
    }));
    const svg = sheetSvg(sheet, labels, orderOf(sheet, labels.length, count, job.copies));
    return `data:image/svg+xml,${encodeURIComponent(svg)}`;
  }, [job, codes, count, sceneOf]);
  if (codes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {printText.previewEmpty}
      </Text>
    );
  return <img src={src} alt={printText.previewOf} className={classes.sheet} />;
}

function captionOf(caption: PrintJob['caption'], code: PrintedCode): string | null {
  const words = {
    none: null,
    name: code.name,
    short_url: shownUrl(code.short_url),
    external_id: code.external_id ?? null,
  }[caption];
  // As the server does for what it cannot write.
  return words !== null && missingLetter(words) !== null ? shownUrl(code.short_url) : words;
}
