import { Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ApiKeyItem } from '@signpost/contract';
import { settingsText } from '../../strings/settings.ts';
import { type KeyPreset, keyPresets, presetScopes, toPreset } from './key-scopes.ts';

const text = settingsText.keys;

/** What a person chooses about a key. */
export type KeyForm = {
  readonly name: string;
  /** `own`: scopes that were given by API, and stay. */
  readonly scopes: KeyPreset | 'own';
  /** A day, or nothing. */
  readonly expires_at: string;
  /** One network per line. */
  readonly allowed_cidrs: string;
  readonly current_password: string;
};

export const keyFormFields = [
  'name',
  'scopes',
  'expires_at',
  'allowed_cidrs',
  'current_password',
] as const satisfies readonly (keyof KeyForm)[];

export const newKeyForm: KeyForm = {
  name: '',
  scopes: 'all',
  expires_at: '',
  allowed_cidrs: '',
  current_password: '',
};

export const toKeyForm = (key: ApiKeyItem): KeyForm => ({
  name: key.name,
  scopes: toPreset(key.scopes) ?? 'own',
  expires_at: key.expires_at?.slice(0, 10) ?? '',
  allowed_cidrs: (key.allowed_cidrs ?? []).join('\n'),
  current_password: '',
});

/** As the server takes it. */
export function toKeyBody({ name, scopes, expires_at, allowed_cidrs }: KeyForm) {
  const networks = allowed_cidrs.split(/[\s,]+/).filter(Boolean);
  const chosen = scopes === 'own' ? undefined : presetScopes[scopes];
  return {
    name,
    ...(chosen === undefined ? {} : { scopes: chosen && [...chosen] }),
    expires_at: expires_at === '' ? null : expires_at,
    allowed_cidrs: networks.length === 0 ? null : networks,
  };
}

export function KeyFields({ form }: { readonly form: UseFormReturnType<KeyForm> }) {
  const choices = form.getInitialValues().scopes === 'own' ? ([...keyPresets, 'own'] as const) : keyPresets;
  return (
    <>
      <TextInput
        label={text.name}
        description={text.nameHint}
        placeholder={text.namePlaceholder}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Radio.Group label={text.scopes} {...form.getInputProps('scopes')}>
        <Stack gap="sm" mt={6}>
          {choices.map(choice => (
            <Radio
              key={choice}
              value={choice}
              label={text.scope[choice]}
              description={text.scopeHint[choice]}
            />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        type="date"
        label={text.expires}
        description={text.expiresHint}
        {...form.getInputProps('expires_at')}
      />
      <Textarea
        autosize
        minRows={2}
        label={text.networks}
        description={text.networksHint}
        {...form.getInputProps('allowed_cidrs')}
      />
    </>
  );
}
