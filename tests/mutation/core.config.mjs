import { configOf } from './shared.config.mjs';

export default configOf('core', ['packages/core/src/transport/*.ts', 'packages/core/src/hosted/check-record.ts']);
