// `pnpm widgets --port 4100`: the component page: every element in every state, theme and language.
import { parseArgs } from 'node:util';
import { serveComponentPage } from '../packages/widgets/scripts/component-page.ts';
import { build, stopWithLauncher } from './launch.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '4100' } } });
stopWithLauncher();
build('@innkeep/widgets');
const { url } = await serveComponentPage(Number(values.port));
console.log(`ready ${url}`);
