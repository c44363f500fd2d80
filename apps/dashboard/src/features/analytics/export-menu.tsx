import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { notifyProblem } from '../../ui/problem.tsx';
import { saveFile } from '../../ui/save-file.ts';

/** `excel` is CSV with a mark by which Excel knows its encoding; other programs may show it as a letter. */
type Format = 'csv' | 'excel' | 'json';
type Props = {
  /** What is in the file, as a heading of the menu. */
  readonly what: string;
  readonly load: (format: Format) => Promise<{ readonly blob: Blob; readonly name: string }>;
};

export function ExportMenu({ what, load }: Props) {
  const take = useMutation({
    mutationFn: load,
    onSuccess: ({ blob, name }) => saveFile(blob, name),
    onError: error => notifyProblem(error, 'The export failed'),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={take.isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{what}</Menu.Label>
        <Menu.Item onClick={() => take.mutate('csv')}>CSV, for spreadsheets</Menu.Item>
        <Menu.Item onClick={() => take.mutate('excel')}>CSV for Excel</Menu.Item>
        <Menu.Item onClick={() => take.mutate('json')}>JSON, for programs</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
