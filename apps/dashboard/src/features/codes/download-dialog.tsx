import { Alert, Box, Button, Grid, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { codesText } from '../../strings/codes.ts';
import { notifyProblem } from '../../ui/problem.tsx';
import { fileName, saveFile } from '../../ui/save-file.ts';
import type { CodeFacts } from './code-facts.ts';
import { DownloadBackground } from './download-background.tsx';
import classes from './download-dialog.module.css';
import {
  backgroundFault,
  browserDeflate,
  drawFile,
  sizeFault,
  styleOf,
  type Wish,
  wishFor,
} from './download-file.ts';
import { DownloadSize } from './download-size.tsx';
import { LabelledChoice } from './labelled-choice.tsx';
import { NotPublic } from './not-public.tsx';
import { QrImage } from './qr-image.tsx';

const text = codesText.download;
const uses = ['screen', 'print', 'office'] as const;

export const openDownloadDialog = (code: CodeFacts) =>
  modals.open({ title: text.title(code.name), size: 'lg', children: <DownloadDialog code={code} /> });

/** One file: what for, in which form, how large, on what. */
function DownloadDialog({ code }: { readonly code: CodeFacts }) {
  const [wish, setWish] = useState(() => wishFor('screen', code.short_url));
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part });
  const badBackground = backgroundFault(code.style, wish);
  const format = text.formats[wish.format];
  const download = useMutation({
    networkMode: 'always',
    mutationFn: () => drawFile(code.short_url, code.style, wish, browserDeflate),
    onSuccess: blob => {
      saveFile(blob, fileName(code.name, wish.format));
      modals.closeAll();
    },
    onError: error => notifyProblem(error, text.failed),
  });
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        download.mutate();
      }}
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, xs: 7 }}>
          <Stack gap="md">
            <div>
              <SegmentedControl
                fullWidth
                aria-label={text.use}
                value={wish.use}
                onChange={use => setWish(wishFor(use as Wish['use'], code.short_url))}
                data={uses.map(value => ({ value, label: text.uses[value] }))}
              />
              <Text size="xs" c="dimmed" mt={6}>
                {text.useHints[wish.use]}
              </Text>
            </div>
            <LabelledChoice
              label={text.format}
              names={text.formats}
              value={wish.format}
              onChange={value => change({ format: value })}
              hint={wish.format === 'svg' ? text.svgHint : ''}
            />
            <DownloadSize link={code.short_url} wish={wish} onChange={change} />
            <DownloadBackground wish={wish} onChange={change} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 5 }}>
          <Box maw={220} mx="auto" className={wish.background === 'none' ? classes.checkers : ''}>
            <QrImage
              text={code.short_url}
              style={styleOf(code.style, wish)}
              isClear={wish.background === 'none'}
              label={text.preview}
            />
          </Box>
        </Grid.Col>
      </Grid>
      <Stack gap="sm" mt="md">
        {badBackground && (
          <Alert
            color={badBackground.isUnreadable ? 'red' : 'orange'}
            icon={<IconAlertTriangle aria-hidden />}
            role="status"
          >
            {badBackground.words}
          </Alert>
        )}
        <NotPublic url={code.short_url} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {codesText.cancel}
          </Button>
          <Button
            type="submit"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            disabled={sizeFault(code.short_url, wish) !== null || badBackground?.isUnreadable === true}
          >
            {text.submit(format)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
