// `pnpm widgets --port 4100`: the component page: every element in every state, theme and language.
import { serveComponentPage } from '../packages/widgets/scripts/component-page.ts';
import { build, readOptions, stopWithLauncher } from './launch.ts';

const { port } = readOptions({ port: '4100' });
stopWithLauncher();
build('@innkeep/widgets');
const { url } = await serveComponentPage(Number(port));
console.log(`ready ${url}`);
