import { describe } from '../http/describe.ts';
import { json } from '../http/response-headers.ts';
import { withLastUse } from './property-configuration.ts';
import type { DirectoryDependencies } from './property-routes.ts';
import { platformApp } from './resource-app.ts';

export const platformKeys = platformApp<DirectoryDependencies>({ tag: 'Properties' }).get(
  '/',
  describe({ id: 'listPlatformKeys', scopes: ['properties', 'read'] }),
  async (c) => {
    const keyUses = await c.get('dependencies').directory.platformKeyUses();
    return json(c, { object: 'list', data: c.get('principal').platform.keys.map(withLastUse(keyUses)) });
  },
);
