import { RULES } from './rules.ts';
import { configOf } from './shared.config.mjs';

export default configOf('policy', RULES);
