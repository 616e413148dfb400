/** `/v1/platform/keys`: what each key of an operator may do, and when it was last used. */
import { PlatformKeyListSchema } from '@innkeep/core/contract';
import { describe } from '../http/describe.ts';
import { withLastUse } from './property-configuration.ts';
import type { DirectoryDependencies } from './property-routes.ts';
import { platformApp } from './resource-app.ts';

export const platformKeys = platformApp<DirectoryDependencies>({ tag: 'Properties' }).get(
  '/',
  describe({
    id: 'listPlatformKeys',
    scopes: ['properties', 'read'],
    summary: 'What each key of the platform may do, and when it was last used',
    description: 'The keys as they are configured, and the hour of the last use.',
    answers: { 200: { description: 'Every key', schema: PlatformKeyListSchema } },
  }),
  async (c) => {
    const keyUses = await c.get('dependencies').directory.platformKeyUses();
    return c.json({ object: 'list', data: c.get('principal').platform.keys.map(withLastUse(keyUses)) });
  },
);
