import { Box, Button, Grid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Domain } from '@signpost/contract';
import { logoPlanFor, type Style, unscannableField } from '@signpost/qr';
import { useMutation } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { useMode } from '../../api/mode.ts';
import { call } from '../../api/operations.ts';
import { codesText } from '../../strings/codes.ts';
import { Panel } from '../../ui/panel.tsx';
import { Problem } from '../../ui/problem.tsx';
import { isFault } from '../../ui/problem-words.ts';
import { useUnsavedWork } from '../../ui/unsaved-work.ts';
import { styleFor } from '../designs/compact-style.ts';
import { DesignChips } from '../designs/design-chips.tsx';
import { QrImage } from '../designs/qr-image.tsx';
import { StyleFields } from '../designs/style-fields.tsx';
import { StyleWarning } from '../designs/style-warning.tsx';
import { toShortBase } from '../domains/short-base.ts';
import { useAccount, useMe } from '../shell/me.ts';
import { tagFault } from '../tags/tag-name.ts';
import { TagsField } from '../tags/tags-field.tsx';
import { CreateBar, CreateButtons } from './create-buttons.tsx';
import { withScheme } from './destination.ts';
import { DestinationField } from './destination-field.tsx';
import { EndingField } from './ending-field.tsx';
import { codeFaults, previewLink, shortCodeFault, type NewCodeValues as Values } from './new-code.ts';
import { NotPublic } from './not-public.tsx';
import { useForgetCodes } from './queries.ts';

/** Most accounts have no domain: the form is the first page of new people. */
const DomainField = lazy(() =>
  import('../domains/domain-field.tsx').then(module => ({ default: module.DomainField })),
);

const text = codesText.form;
/** Of a field with a label and a description. */
const fieldHeight = 82;
const fields = ['name', 'destination_url', 'domain', 'short_code', 'tags'] as const;

/** Three fields, the design, and beside them the code as it will print. */
export function NewCodeForm({
  initial,
  domains,
}: {
  readonly initial: Values;
  readonly domains: readonly Domain[];
}) {
  const activeDomains = domains.filter(({ status }) => status === 'active');
  const { service } = useMe();
  const account = useAccount();
  const byKey = useLocation({ select: ({ state }) => state.byKey ?? false });
  const form = useForm<Values>({
    initialValues: initial,
    validate: {
      ...codeFaults,
      short_code: shortCodeFault(service.min_chosen_code),
      tags: tags => tags.map(tagFault).find(fault => fault !== null) ?? null,
    },
  });
  const create = useCreateCode(error =>
    form.setErrors({
      ...fieldErrors(error, fields),
      ...(isReclaimable(error) ? { short_code: text.faults.reclaimable } : {}),
    }),
  );
  useUnsavedWork(form.isDirty());
  useEffect(() => {
    if (create.error) focusFirst();
  }, [create.error]);
  const { style, short_code, domain } = form.values;
  const isTest = useMode() === 'test';
  const base = isTest ? account.test_short_base_url : toShortBase(domain, service.short_base_url);
  const link = previewLink(short_code, base);
  const drawn = styleFor(link, style);
  const submit = (status: 'active' | 'draft') =>
    form.onSubmit(values => create.mutate({ ...values, style: drawn, status }), focusFirst);
  // The ending that was refused: another one may not be reclaimed by the same click.
  const reclaimable = isReclaimable(create.error) ? create.variables?.short_code : undefined;
  const createAgain = () =>
    form.onSubmit(
      values => create.mutate({ ...values, style: drawn, status: create.variables!.status, reclaim: true }),
      focusFirst,
    )();
  const setStyle = (next: Style) => form.setFieldValue('style', next);
  const isUnplaced = create.error && Object.keys(fieldErrors(create.error, fields)).length === 0;
  const hasNoRoom = style.logo !== undefined && logoPlanFor(link, style.logo, style.compact) === null;
  const buttons = {
    fault: hasNoRoom ? text.noRoom : unscannableField(style) !== null ? text.unreadable : null,
    pending: create.isPending ? create.variables.status : null,
    onDraft: () => submit('draft')(),
  };
  const image = <QrImage text={link} style={style} label={text.previewOf} />;

  return (
    <form onSubmit={submit('active')} noValidate>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="lg">
            <Panel title={text.details}>
              <TextInput
                label={text.name}
                description={text.nameHint}
                placeholder={text.namePlaceholder}
                required
                autoFocus={byKey}
                {...form.getInputProps('name')}
              />
              <DestinationField
                value={form.values.destination_url}
                onChange={value => form.setFieldValue('destination_url', value)}
                error={form.errors.destination_url}
                description={text.destinationHint}
                required
              />
              {activeDomains.length > 0 ? (
                <Suspense fallback={<Skeleton height={fieldHeight} />}>
                  <DomainField
                    domains={activeDomains}
                    serviceBase={service.short_base_url}
                    value={domain}
                    onChange={host => form.setFieldValue('domain', host)}
                    error={form.errors.domain}
                  />
                </Suspense>
              ) : null}
              <EndingField base={base} {...form.getInputProps('short_code')} />
              {reclaimable === short_code && short_code !== '' ? (
                <Stack gap="xs" align="flex-start">
                  <Text size="sm">{text.reclaimHint}</Text>
                  <Button variant="default" loading={create.isPending} onClick={createAgain}>
                    {text.reclaim}
                  </Button>
                </Stack>
              ) : null}
              <TagsField
                value={form.values.tags}
                onChange={tags => form.setFieldValue('tags', tags)}
                error={form.errors.tags}
              />
            </Panel>
            <Panel title={text.design} description={text.designHint}>
              <DesignChips style={style} onChange={setStyle} />
              <StyleFields style={style} onChange={setStyle} link={link} />
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Box pos="sticky" top={120}>
            <Panel title={text.preview}>
              <Box maw={280} mx="auto" w="100%" visibleFrom="md">
                {image}
              </Box>
              {short_code === '' && (
                <Text size="xs" c="dimmed" ta="center" visibleFrom="md">
                  {text.previewNote}
                </Text>
              )}
              <StyleWarning style={style} link={link} onFix={setStyle} />
              <NotPublic url={base} />
              {isUnplaced ? (
                <Problem
                  error={create.error}
                  title={text.notCreated}
                  {...(isFault(create.error) ? { onRetry: () => submit(create.variables!.status)() } : {})}
                />
              ) : null}
              <Box visibleFrom="md">
                <CreateButtons {...buttons} />
              </Box>
            </Panel>
          </Box>
        </Grid.Col>
      </Grid>
      <CreateBar image={image} {...buttons} />
    </form>
  );
}

/** Creates the code and goes to its page, which is no loss of work. */
function useCreateCode(onRefused: (error: unknown) => void) {
  const navigate = useNavigate();
  const forget = useForgetCodes();
  return useMutation({
    mutationFn: ({
      short_code,
      domain,
      destination_url,
      tags,
      ...rest
    }: Values & { readonly status: 'active' | 'draft'; readonly reclaim?: true }) =>
      call('createQrCode', {
        body: {
          ...rest,
          destination_url: withScheme(destination_url),
          ...(domain ? { domain } : {}),
          ...(short_code ? { short_code } : {}),
          ...(tags.length > 0 ? { tags: [...tags] } : {}),
        },
      }),
    onSuccess: async code => {
      await forget();
      await navigate({ to: '/codes/$id', params: { id: code.id }, ignoreBlocker: true });
    },
    onError: onRefused,
  });
}

const isReclaimable = (error: unknown) => error instanceof ApiError && error.isReclaimable;

/** The first field with a fault may lie above what a phone shows. */
function focusFirst(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus());
}
