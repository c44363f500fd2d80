import { ActionIcon, Group, Menu } from '@mantine/core';
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { analyticsText as text } from '../../strings/analytics.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import { fileName, saveFile } from '../../ui/save-file.ts';
import type { Bucket } from './buckets.ts';
import { savePicture } from './save-picture.ts';
import { seriesCsv } from './series.ts';

type Props = {
  readonly buckets: readonly Bucket[];
  readonly name: string;
  readonly picture: RefObject<SVGSVGElement | null>;
  readonly isTable: boolean;
  readonly onTable: () => void;
};

/** Chart or table, and both as files. */
export function ChartMenu({ buckets, name, picture, isTable, onTable }: Props) {
  const savePng = () =>
    savePicture(picture.current!, `${text.overTime}: ${name}`, fileName(name, 'png')).catch(
      (error: unknown) => notifyProblem(error, text.pngFailed),
    );
  return (
    <Group gap={4}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={isTable ? text.showChart : text.showTable}
        onClick={onTable}
      >
        {isTable ? <IconChartBar size={18} aria-hidden /> : <IconTable size={18} aria-hidden />}
      </ActionIcon>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.download}>
            <IconDownload size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={isTable} onClick={() => void savePng()}>
            {text.asPng}
          </Menu.Item>
          <Menu.Item
            onClick={() =>
              saveFile(new Blob([seriesCsv(buckets)], { type: 'text/csv' }), fileName(name, 'csv'))
            }
          >
            {text.asCsv}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
