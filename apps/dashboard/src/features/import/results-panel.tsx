import { Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Style } from '@signpost/qr';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { currentMode } from '../../api/mode.ts';
import { importText } from '../../strings/import.ts';
import { Panel } from '../../ui/panel.tsx';
import { notifyProblem } from '../../ui/problem.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { logoOf } from '../designs/logo-picture.ts';
import type { Created } from './batches.ts';
import { imageNames } from './image-names.ts';
import { type ResultTable, writeResult } from './result-table.ts';
import { writeCsv } from './write-csv.ts';
import { type ImageFormat, zipImages } from './zip-images.ts';

type Props = {
  readonly created: readonly Created[];
  /** The file that was imported, with what became of each row. */
  readonly table: () => ResultTable;
  readonly style: Style;
  /** Present when every row has become a code. */
  readonly onMore?: () => void;
};

const words = importText.results;

/** The codes that were made: their images in one file, and the table with their links. */
export function ResultsPanel({ created, table, style, onMore }: Props) {
  const [format, setFormat] = useState<ImageFormat>('png');
  const { drawn, draw } = useZip(created, style, format);
  const saveTable = () => {
    const names = imageNames(
      created.map(({ name }) => name),
      format,
    );
    const byNumber = new Map(created.map(({ number }, at) => [number, names[at]!]));
    const rows = writeResult(table(), number => byNumber.get(number) ?? '');
    saveFile(new Blob([writeCsv(rows)], { type: 'text/csv' }), words.csvName);
  };
  return (
    <Panel title={words.title(created.length)}>
      <Stack gap="md">
        <Group gap="sm" align="center">
          <SegmentedControl
            aria-label={words.format}
            value={format}
            onChange={value => setFormat(value as ImageFormat)}
            disabled={drawn !== null}
            data={[
              { value: 'png', label: 'PNG' },
              { value: 'svg', label: 'SVG' },
            ]}
          />
          <Button
            leftSection={<IconDownload size={18} aria-hidden />}
            onClick={() => void draw()}
            loading={drawn !== null}
          >
            {words.images}
          </Button>
          <Button variant="default" onClick={saveTable}>
            {words.table}
          </Button>
        </Group>
        {drawn === null ? (
          <Text size="sm" c="dimmed">
            {words.hint}
          </Text>
        ) : (
          <div>
            <Text size="sm" role="status" mb={6} className="figures">
              {words.imagesProgress(drawn, created.length)}
            </Text>
            <Progress
              value={(100 * drawn) / created.length}
              aria-label={words.imagesProgress(drawn, created.length)}
            />
          </div>
        )}
        {onMore && (
          <Group gap="sm">
            <LinkButton to="/codes" variant="default">
              {words.toCodes}
            </LinkButton>
            <Button variant="subtle" onClick={onMore}>
              {words.more}
            </Button>
          </Group>
        )}
      </Stack>
    </Panel>
  );
}

/** How many images are drawn while the ZIP is made; null when none is. */
function useZip(created: readonly Created[], style: Style, format: ImageFormat) {
  const [drawn, setDrawn] = useState<number | null>(null);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);
  const draw = async () => {
    const { signal } = left.current;
    setDrawn(0);
    try {
      const scene = await logoOf(currentMode(), style);
      const zip = await zipImages(created, { format, style, scene, onProgress: setDrawn, signal });
      saveFile(zip, words.zipName);
    } catch (error) {
      if (!signal.aborted) notifyProblem(error, words.imagesFailed);
    }
    if (!signal.aborted) setDrawn(null);
  };
  return { drawn, draw };
}
