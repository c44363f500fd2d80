import { Box, Button, Checkbox, Grid, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { logoPlanFor, type Style, unscannableField } from '@signpost/qr';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { commonText } from '../../strings/common.ts';
import { designsText } from '../../strings/designs.ts';
import { Panel } from '../../ui/panel.tsx';
import { PreviewBar } from '../../ui/preview-bar.tsx';
import { notifyDone, Problem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { previewLink } from '../codes/new-code.ts';
import { useAccount, useMe } from '../shell/me.ts';
import { useRoleRefusal } from '../shell/use-refusal.ts';
import { FrameFields, frameFault } from './frame-fields.tsx';
import { type Frame, useFrame, useFrames } from './frames.ts';
import { QrImage } from './qr-image.tsx';
import { useForgetDesigns } from './queries.ts';
import { StyleFields } from './style-fields.tsx';
import { StyleWarning } from './style-warning.tsx';

export type DesignValues = {
  readonly name: string;
  readonly style: Style;
  readonly frame: Frame | null;
  readonly isDefault: boolean;
};

type Props = { readonly id: string | null; readonly initial: DesignValues };

const text = designsText.editor;

/** Name, style and frame of a design, and beside them a code in it. */
export function DesignForm({ id, initial }: Props) {
  const mode = useMode();
  const { service } = useMe();
  const account = useAccount();
  const link = previewLink('', mode === 'test' ? account.test_short_base_url : service.short_base_url);
  const form = useForm<DesignValues>({
    initialValues: initial,
    validate: { name: value => (value.trim() ? null : text.noName) },
  });
  useUnsavedWork(form.isDirty());
  const { style, frame } = form.values;
  const { data: frames } = useFrames();
  const drawnFrame = useFrame(frame, style);
  const save = useSave(id);
  const refusal = useRoleRefusal('designs:write');
  const setStyle = (next: Style) => form.setFieldValue('style', next);
  const isWrong =
    unscannableField(style) !== null ||
    (style.logo !== undefined && logoPlanFor(link, style.logo, style.compact) === null) ||
    (frame !== null && frames !== undefined && frameFault(frames, frame) !== null);
  const image = (
    <QrImage
      text={link}
      style={style}
      label={text.previewOf}
      {...(drawnFrame ? { frame: drawnFrame } : {})}
    />
  );
  const buttons = (
    <Group gap="xs" grow>
      <LinkButton to="/designs" variant="default">
        {commonText.cancel}
      </LinkButton>
      {refusal ? (
        <RefusedButton reason={refusal}>{text.save}</RefusedButton>
      ) : (
        <Button type="submit" loading={save.isPending} disabled={isWrong}>
          {text.save}
        </Button>
      )}
    </Group>
  );
  return (
    <form onSubmit={form.onSubmit(values => save.mutate(values))} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Panel title={text.details}>
              <TextInput
                label={text.name}
                placeholder={text.namePlaceholder}
                maxLength={100}
                required
                {...form.getInputProps('name')}
              />
              <Checkbox label={text.isDefault} {...form.getInputProps('isDefault', { type: 'checkbox' })} />
            </Panel>
            <Panel title={text.design}>
              <StyleFields style={style} onChange={setStyle} link={link} />
            </Panel>
            <Panel title={text.frame} description={text.frameHint}>
              <FrameFields frame={frame} style={style} onChange={next => form.setFieldValue('frame', next)} />
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Box pos="sticky" top={120}>
            <Panel title={text.preview}>
              <Box maw={280} mx="auto" w="100%" visibleFrom="md">
                {image}
              </Box>
              <StyleWarning style={style} link={link} onFix={setStyle} />
              {save.error && <Problem error={save.error} title={text.notSaved} />}
              <Box visibleFrom="md">{buttons}</Box>
            </Panel>
          </Box>
        </Grid.Col>
      </Grid>
      <PreviewBar image={image}>{buttons}</PreviewBar>
    </form>
  );
}

function useSave(id: string | null) {
  const navigate = useNavigate();
  const forget = useForgetDesigns(useMode());
  return useMutation({
    mutationFn: ({ name, style, frame, isDefault }: DesignValues) => {
      const body = { name: name.trim(), style, is_default: isDefault };
      return id === null
        ? call('createDesign', { body: { ...body, ...(frame ? { frame } : {}) } })
        : call('updateDesign', { params: { id }, body: { ...body, frame } });
    },
    onSuccess: async ({ name }) => {
      notifyDone(text.saved(name));
      await navigate({ to: '/designs', ignoreBlocker: true });
      await forget();
    },
  });
}
