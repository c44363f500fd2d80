import { ActionIcon, Tooltip } from '@mantine/core';
import { IconFileExport } from '@tabler/icons-react';
import { fileUrl } from '../../api/file-url.ts';
import { organiseText } from '../../strings/organise.ts';
import { type CodesSearch, isFiltered, parseCodesFilters } from './codes-search.ts';

/** A file of the server, which the browser writes to disk as it comes, however long it is. */
export function ExportButton({ search }: { readonly search: CodesSearch }) {
  const { tag, ...filters } = parseCodesFilters(search);
  const query = { ...filters, ...(tag ? { tag: [...tag] } : {}) };
  const label = isFiltered(search) ? organiseText.exportMatches : organiseText.exportList;
  return (
    <Tooltip label={label}>
      <ActionIcon
        component="a"
        href={fileUrl('exportQrCodes', { query })}
        download
        variant="default"
        size={36}
        aria-label={label}
      >
        <IconFileExport size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
