import { configOf } from './shared.config.mjs';

export default configOf('policy', ['packages/edge-proxy/src/policy/*.ts']);
