import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { codesText } from '../../strings/codes.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { campaignFields, readCampaign, writeCampaign } from './campaign.ts';
import { withScheme } from './destination.ts';

type Props = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description: string;
  readonly error?: ReactNode;
  readonly required?: boolean;
  readonly locked?: { readonly readOnly: true; readonly variant: 'filled' };
};

const { destination, destinationPlaceholder } = codesText.form;
const text = codesText.campaign;

/** Where a code leads, and below it the campaign parameters, which are a part of the same address. */
export function DestinationField({ value, onChange, description, error, required = false, locked }: Props) {
  return (
    <Stack gap={6}>
      <TextInput
        label={destination}
        description={description}
        placeholder={destinationPlaceholder}
        type="url"
        inputMode="url"
        autoCapitalize="off"
        spellCheck={false}
        required={required}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
        onBlur={() => onChange(withScheme(value))}
        error={error}
        {...locked}
      />
      {!locked && <Campaign url={value} onChange={onChange} />}
    </Stack>
  );
}

function Campaign({ url, onChange }: { readonly url: string; readonly onChange: (url: string) => void }) {
  const values = readCampaign(url);
  const count = campaignFields.filter(field => values[field] !== '').length;
  return (
    <Disclosure title={count > 0 ? text.inUse(count) : text.title}>
      <Stack gap="xs" mt={6}>
        <Text size="xs" c="dimmed">
          {text.hint}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          {campaignFields.map(field => (
            <TextInput
              key={field}
              size="xs"
              {...text.fields[field]}
              value={values[field]}
              disabled={url.trim() === ''}
              onChange={event => onChange(writeCampaign(withScheme(url), field, event.currentTarget.value))}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Disclosure>
  );
}
