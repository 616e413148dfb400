/** The app of a payment and that of the back office in one. */
import { RESOURCES } from '../openapi/resources.ts';
import { createApp as createAppOf, type Dependencies, type Resources } from '../src/runtime/app.ts';

export { RESOURCES };

/** @param more what an entry has besides */
export function createApp(dependencies: Dependencies, more: Resources = []): ReturnType<typeof createAppOf> {
  return createAppOf(dependencies, [...RESOURCES, ...more]);
}
