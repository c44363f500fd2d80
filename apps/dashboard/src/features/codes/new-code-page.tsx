import { Box, Button, Grid, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { gradeStyle, type Style, unscannableField } from '@signpost/qr';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { fieldErrors } from '../../api/field-errors.ts';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Problem } from '../../ui/problem.tsx';
import { RefusedButton } from '../../ui/refused-button.tsx';
import { LinkButton } from '../../ui/router-link.tsx';
import { useMe } from '../shell/me.ts';
import { useRefusal } from '../shell/use-refusal.ts';
import { codeFaults, previewLink, shortCodeFault } from './new-code.ts';
import { QrImage } from './qr-image.tsx';
import { useForgetCodes } from './queries.ts';
import { StyleFields } from './style-fields.tsx';
import { StyleWarning } from './style-warning.tsx';

/** Three fields, the look, and beside them the code as it will print. */
export function NewCodePage() {
  const { account, service } = useMe();
  const mode = useMode();
  const refusal = useRefusal();
  const base = mode === 'test' ? account.test_short_base_url : service.short_base_url;
  const navigate = useNavigate();
  const forget = useForgetCodes();
  const form = useForm({
    initialValues: { name: '', destination_url: '', short_code: '', style: {} as Style },
    validate: { ...codeFaults, short_code: shortCodeFault(service.min_chosen_code) },
  });
  const create = useMutation({
    mutationFn: ({ short_code, ...rest }: typeof form.values) =>
      call('createQrCode', { body: { ...rest, ...(short_code ? { short_code } : {}) } }),
    onSuccess: async code => {
      await forget();
      await navigate({ to: '/codes/$id', params: { id: code.id } });
    },
    onError: error => form.setErrors(fieldErrors(error, ['name', 'destination_url', 'short_code'])),
  });
  const { style, short_code } = form.values;
  const unreadable = unscannableField(style);

  return (
    <Page
      title="New code"
      description="A name and a destination are enough. The look cannot change after printing; the destination can."
    >
      <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack gap="lg">
              <Panel title="Where it leads">
                <TextInput
                  label="Name"
                  description="For you; nobody who scans sees it."
                  placeholder="Spring menu"
                  required
                  {...form.getInputProps('name')}
                />
                <TextInput
                  label="Destination"
                  description="Where a scan is sent. You can change it later."
                  placeholder="https://example.com/menu/spring"
                  type="url"
                  required
                  {...form.getInputProps('destination_url')}
                />
                <TextInput
                  label="Short code"
                  description="The end of the short link. Left empty, we make one up."
                  placeholder="spring-menu"
                  {...form.getInputProps('short_code')}
                />
              </Panel>
              <Panel title="How it looks">
                <StyleFields style={style} onChange={next => form.setFieldValue('style', next)} />
              </Panel>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Box pos="sticky" top={120}>
              <Panel title="As it will print">
                <Box maw={320} mx="auto" w="100%">
                  <QrImage text={previewLink(short_code, base)} style={style} label="Preview of the code" />
                </Box>
                {short_code === '' && (
                  <Text size="xs" c="dimmed" ta="center">
                    The pattern changes with the short code; the look stays.
                  </Text>
                )}
                <StyleWarning grade={gradeStyle(style)} unreadable={unreadable !== null} />
                {create.error ? <Problem error={create.error} title="The code was not created" /> : null}
                <Group grow>
                  <LinkButton to="/codes" variant="default">
                    Cancel
                  </LinkButton>
                  {refusal ? (
                    <RefusedButton reason={refusal}>Create code</RefusedButton>
                  ) : (
                    <Button type="submit" loading={create.isPending} disabled={unreadable !== null}>
                      Create code
                    </Button>
                  )}
                </Group>
              </Panel>
            </Box>
          </Grid.Col>
        </Grid>
      </form>
    </Page>
  );
}
