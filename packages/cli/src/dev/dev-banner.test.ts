import { expect, test } from 'vitest';
import { devBanner } from './dev-banner.ts';

test('says where the proxy’s OpenAPI document is, as the site reaches it', () => {
  const text = devBanner({
    siteUrl: 'http://127.0.0.1:3000',
    stack: { proxyUrl: 'http://127.0.0.1:43083', sandboxUrl: 'http://127.0.0.1:32893', magic: [] },
    envFile: '.env.local',
    logFile: '.innkeep/proxy.log',
    forwardTo: undefined,
    hasCommand: false,
    clock: undefined,
  });
  expect(text).toContain('http://127.0.0.1:43083/openapi.json');
});
