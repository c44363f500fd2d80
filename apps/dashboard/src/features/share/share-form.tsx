import { Button, Checkbox, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { NewShareLink } from '@signpost/contract';
import { useMutation } from '@tanstack/react-query';
import { fieldErrors } from '../../api/field-errors.ts';
import { call } from '../../api/operations.ts';
import { queryClient } from '../../api/query-client.ts';
import { shareText as text } from '../../strings/share.ts';
import { Problem } from '../../ui/problem.tsx';
import { periodName } from '../analytics/period-name.ts';
import { addDays, dayOf, startOfDay } from '../analytics/periods.ts';
import type { Section, ShareSubject } from './subject.ts';

type Props = { readonly subject: ShareSubject; readonly onCreated: (link: NewShareLink) => void };

const fields = ['title', 'expires_at'] as const;
const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const shownDays = 'shown';

/** What the page of a new link shows, and until when. */
export function ShareForm({ subject, onCreated }: Props) {
  const { codeId, tag, name, sections, period } = subject;
  const today = dayOf(new Date());
  const form = useForm({
    initialValues: {
      title: '',
      period: '30',
      sections: sections.filter(section => section === 'chart' || section === 'map') as readonly Section[],
      expires_at: '',
    },
    validate: {
      sections: value => (value.length > 0 ? null : text.sectionMissing),
      expires_at: value => (value === '' || value >= today ? null : text.endPast),
    },
  });
  const create = useMutation({
    mutationFn: ({ title, expires_at: end, ...values }: typeof form.values) => {
      const body = {
        ...(title.trim() === '' ? {} : { title: title.trim() }),
        sections: sections.filter(section => values.sections.includes(section)),
        timezone,
        ...(values.period === shownDays
          ? { start_date: period.start, end_date: period.end }
          : { days: Number(values.period) }),
        ...(end === '' ? {} : { expires_at: startOfDay(addDays(end, 1)).toISOString() }),
      };
      return codeId === null
        ? call('createShareLink', { body: tag === null ? body : { ...body, tag } })
        : call('createQrCodeShareLink', { params: { id: codeId }, body });
    },
    onSuccess: async link => {
      onCreated(link);
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'share-links' });
    },
    onError: error => form.setErrors(fieldErrors(error, fields)),
  });
  const isOnField = Object.keys(fieldErrors(create.error, fields)).length > 0;
  const periods = [
    ...Object.entries(text.periods).map(([value, label]) => ({ value, label })),
    { value: shownDays, label: text.shownDays(periodName(period)) },
  ];
  return (
    <form onSubmit={form.onSubmit(values => create.mutate(values))} noValidate>
      <Stack>
        <Title order={3} size="sm">
          {text.new}
        </Title>
        <TextInput
          label={text.heading}
          description={text.headingHint}
          placeholder={name}
          maxLength={100}
          {...form.getInputProps('title')}
        />
        <Group grow align="flex-start">
          <NativeSelect label={text.period} data={periods} {...form.getInputProps('period')} />
          <TextInput
            type="date"
            label={text.end}
            description={text.endHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={today}
            {...form.getInputProps('expires_at')}
          />
        </Group>
        <Checkbox.Group
          label={text.sections}
          value={[...form.values.sections]}
          onChange={value => form.setFieldValue('sections', value as Section[])}
          error={form.errors.sections}
        >
          <Stack gap="xs" mt="xs">
            {sections.map(section => (
              <Checkbox key={section} value={section} label={text.section[section]} />
            ))}
          </Stack>
        </Checkbox.Group>
        {create.error && !isOnField ? <Problem error={create.error} title={text.failed} /> : null}
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending}>
            {text.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
