import type { Me } from '@signpost/contract';
import manifest from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import type { LinkNames } from '../kernel/addresses/link-names.ts';
import { findAttribution } from '../scans/geoip/attribution.ts';

/** What the dashboard tells people about the service they are using. */
export function aboutService(config: Config, linkNames: LinkNames): Me['service'] {
  return {
    public_url: config.publicUrl,
    short_base_url: linkNames.base,
    min_chosen_code: config.minCustomCodeLength,
    version: manifest.version,
    sign_up: config.signUp === 'open',
    sends_mail: config.smtpUrl !== '',
    visitor_window: config.visitorWindow,
    attribution: findAttribution(config),
  };
}
