import {
  Accordion,
  Alert,
  Box,
  Button,
  Grid,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
} from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { codesText } from '../../strings/codes.ts';
import { downloadText } from '../../strings/download.ts';
import { LabelledChoice } from '../../ui/labelled-choice.tsx';
import { notifyProblem, Problem } from '../../ui/problem.tsx';
import { fileName, saveFile } from '../../ui/save-file.ts';
import { DesignSelect } from '../designs/design-select.tsx';
import { FrameFields, frameFault } from '../designs/frame-fields.tsx';
import { type Frame, framesQuery, useFrame } from '../designs/frames.ts';
import { useLogo } from '../designs/logo-picture.ts';
import { drawable, QrImage } from '../designs/qr-image.tsx';
import type { CodeFacts } from './code-facts.ts';
import { DownloadBackground } from './download-background.tsx';
import classes from './download-dialog.module.css';
import {
  bleedFault,
  browserDeflate,
  drawFile,
  formatsOf,
  inFormat,
  isForPrinters,
  type Subject,
  sizeFault,
  styleFault,
  styleOf,
  type Wish,
  wishFor,
} from './download-file.ts';
import { DownloadPress } from './download-press.tsx';
import { DownloadSize } from './download-size.tsx';
import { NotPublic } from './not-public.tsx';

const text = downloadText;
/** Of a long list of placements; the others are found by typing. */
const mostShown = 50;
const uses = ['screen', 'print', 'office'] as const;

export const openDownloadDialog = (code: CodeFacts, placement = '') =>
  modals.open({
    title: text.title(code.name),
    size: 780,
    children: <DownloadDialog code={code} placement={placement} />,
  });

/** One file: what for, in which form, how large, in which design, and what is around it. */
function DownloadDialog({ code, placement }: { readonly code: CodeFacts; readonly placement: string }) {
  const [placeKey, setPlaceKey] = useState(placement);
  const place = code.placements?.find(({ key }) => key === placeKey);
  const link = place?.short_url ?? code.short_url;
  const [look, setLook] = useState({ design: null as string | null, style: code.style });
  const [frame, setFrame] = useState<Frame | null>(null);
  const drawnFrame = useFrame(frame, look.style);
  const subject: Subject = {
    link,
    style: drawable(link, look.style),
    frame: drawnFrame,
  };
  const [wish, setWish] = useState(() => wishFor('screen', subject));
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part });
  const logo = useLogo(look.style);
  const fault = styleFault({ ...subject, style: look.style }, wish);
  const isFrameWrong = useIsFrameWrong(frame);
  const download = useMutation({
    networkMode: 'always',
    mutationFn: () => drawFile(subject, wish, browserDeflate, logo.options),
    onSuccess: blob => {
      saveFile(blob, fileName(place ? `${code.name} ${place.name}` : code.name, wish.format));
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
        <Grid.Col span={{ base: 12, xs: 7 }} order={{ base: 2, xs: 1 }}>
          <Stack gap="md">
            <div>
              <SegmentedControl
                fullWidth
                aria-label={text.use}
                value={wish.use}
                onChange={use => setWish(wishFor(use as Wish['use'], subject))}
                data={uses.map(value => ({ value, label: text.uses[value] }))}
              />
              <Text size="xs" c="dimmed" mt={6}>
                {text.useHints[wish.use]}
              </Text>
            </div>
            <LabelledChoice
              label={text.format}
              names={namesOf(wish.use)}
              value={wish.format}
              onChange={value => setWish(inFormat(wish, value))}
              hint={text.formatHints[wish.format]}
            />
            <DownloadSize subject={subject} wish={wish} onChange={change} />
            {isForPrinters(wish) && <DownloadPress style={look.style} wish={wish} onChange={change} />}
            <DownloadBackground wish={wish} onChange={change} />
            {code.placements && code.placements.length > 0 && (
              <Select
                label={text.placement}
                searchable={code.placements.length > mostShown}
                limit={mostShown}
                data={[
                  { value: '', label: text.noPlacement },
                  ...code.placements.map(({ key, name }) => ({ value: key, label: name })),
                ]}
                value={placeKey}
                onChange={value => setPlaceKey(value ?? '')}
                allowDeselect={false}
              />
            )}
            <DesignSelect
              label={text.design}
              own={text.ownDesign}
              description={text.designHint}
              value={look.design}
              onChange={design => {
                setLook({ design: design?.id ?? null, style: design?.style ?? code.style });
                setFrame(design ? design.frame : null);
              }}
            />
            <FramePart frame={frame} subject={{ ...subject, style: look.style }} onChange={setFrame} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, xs: 5 }} order={{ base: 1, xs: 2 }}>
          <Box className={classes.preview}>
            <div className={wish.background === 'none' ? classes.checkers : ''}>
              <QrImage
                text={link}
                style={styleOf(look.style, wish)}
                isClear={wish.background === 'none'}
                label={text.preview}
                {...(drawnFrame ? { frame: drawnFrame } : {})}
              />
            </div>
          </Box>
        </Grid.Col>
      </Grid>
      <Stack gap="sm" mt="md">
        {fault && (
          <Alert
            color={fault.isUnreadable ? 'red' : 'orange'}
            icon={<IconAlertTriangle aria-hidden />}
            role="status"
          >
            {fault.words}
          </Alert>
        )}
        {logo.error ? <Problem error={logo.error} title={text.noLogo} /> : null}
        <NotPublic url={code.short_url} />
        <Group justify="flex-end" gap="sm" className={classes.buttons}>
          <Button variant="default" onClick={() => modals.closeAll()}>
            {codesText.cancel}
          </Button>
          <Button
            type="submit"
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            disabled={
              !logo.isReady ||
              isFrameWrong ||
              sizeFault(subject, wish) !== null ||
              bleedFault(wish) !== null ||
              fault?.isUnreadable === true
            }
          >
            {text.submit(text.formats[wish.format])}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const namesOf = (use: Wish['use']) =>
  Object.fromEntries(formatsOf[use].map(format => [format, text.formats[format]])) as Readonly<
    Record<Wish['format'], string>
  >;

/** A frame that was asked for and is not drawn. */
function useIsFrameWrong(frame: Frame | null): boolean {
  const { data } = useQuery({ ...framesQuery, enabled: frame !== null });
  return frame !== null && (data === undefined || frameFault(data, frame) !== null);
}

type FramePartProps = {
  readonly frame: Frame | null;
  readonly subject: Subject;
  readonly onChange: (frame: Frame | null) => void;
};

/** Closed until somebody wants a frame, or a design has one. */
function FramePart({ frame, subject, onChange }: FramePartProps) {
  const [opened, setOpened] = useState<string | null>(null);
  const isOpen = frame !== null || opened !== null;
  return (
    <Accordion
      variant="contained"
      value={isOpen ? 'frame' : null}
      onChange={setOpened}
      classNames={{ content: classes.frame! }}
    >
      <Accordion.Item value="frame">
        <Accordion.Control>{text.frame}</Accordion.Control>
        <Accordion.Panel>
          <Text size="xs" c="dimmed" mb="sm">
            {text.frameHint}
          </Text>
          {isOpen && <FrameFields frame={frame} style={subject.style} onChange={onChange} />}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
