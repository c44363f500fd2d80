import { Button, Group, NumberInput, SegmentedControl, Stack, Text } from '@mantine/core';
import type { QrCode } from '@signpost/contract';
import { largestSizePx, smallestSizePx } from '@signpost/qr';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/operations.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import { fileName, saveFile } from '../../ui/save-file.ts';

/** PNG for screens and documents, SVG for print; in any size that the API gives. */
export function DownloadImage({ code }: { readonly code: QrCode }) {
  const [format, setFormat] = useState<'png' | 'svg'>('png');
  const [size, setSize] = useState<number | string>(1024);
  const fits = typeof size === 'number' && size >= smallestSizePx && size <= largestSizePx;
  const download = useMutation({
    mutationFn: () =>
      call('downloadQrCode', { params: { id: code.id }, query: { format, size: Number(size) } }),
    onSuccess: blob => saveFile(blob, fileName(code.name, format)),
    onError: error => notifyProblem(error, 'The image was not downloaded'),
  });
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <SegmentedControl
          aria-label="Format"
          value={format}
          onChange={value => setFormat(value as 'png' | 'svg')}
          data={[
            { value: 'png', label: 'PNG' },
            { value: 'svg', label: 'SVG' },
          ]}
        />
        <NumberInput
          label="Size in pixels"
          value={size}
          onChange={setSize}
          min={smallestSizePx}
          max={largestSizePx}
          step={128}
          allowDecimal={false}
          error={fits ? null : `${smallestSizePx} to ${largestSizePx}`}
          style={{ flex: '1 1 7rem' }}
        />
      </Group>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => download.mutate()}
        loading={download.isPending}
        disabled={!fits}
      >
        Download {format.toUpperCase()}
      </Button>
      <Text size="xs" c="dimmed">
        SVG stays sharp at any size: take it for print.
      </Text>
    </Stack>
  );
}
