import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { analyticsText as text } from '../../strings/analytics.ts';

/** `excel` is CSV with a mark by which Excel knows its encoding; other programs may show it as a letter. */
const exportFormats = ['csv', 'excel', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type Props = {
  /** What is in the file, as a heading of the menu. */
  readonly what: string;
} & (
  | {
      /** A file of the server, which the browser writes to disk as it comes, however long it is. */
      readonly linkTo: (format: ExportFormat) => string;
    }
  | { readonly onSave: (format: ExportFormat) => void }
);

export function ExportMenu({ what, ...how }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
          {text.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{what}</Menu.Label>
        {exportFormats.map(format =>
          'linkTo' in how ? (
            <Menu.Item key={format} component="a" href={how.linkTo(format)} download>
              {text.formats[format]}
            </Menu.Item>
          ) : (
            <Menu.Item key={format} onClick={() => how.onSave(format)}>
              {text.formats[format]}
            </Menu.Item>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
