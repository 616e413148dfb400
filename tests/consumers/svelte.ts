import { FROM_ADDRESS, type FrameworkPage, indexHtml, tsconfig } from './project.ts';

/** Svelte 5 with runes. */
export const svelte: FrameworkPage = {
  name: 'svelte',
  files: {
    'index.html': indexHtml('./main.ts'),
    'address.ts': FROM_ADDRESS,
    'tsconfig.json': tsconfig({ skipLibCheck: true }, ['*.ts', '*.svelte']),
    'main.ts': `
import { mount } from 'svelte';
import Booking from './Booking.svelte';

const target = document.getElementById('app');
if (target) mount(Booking, { target });
`,
    'Booking.svelte': `
<script lang="ts">
  import '@innkeep/widgets/define';
  import '@innkeep/widgets/types/svelte';
  import { clientSecret, endpoint } from './address';

  let paid = $state('');
</script>

<pay-widget
  {endpoint}
  client-secret={clientSecret}
  locale="en"
  onpay-completed={({ detail }) => {
    paid = detail.checkout?.id ?? '';
  }}
>
  <a href="/pay-link">Pay by link</a>
</pay-widget>
<p id="paid">{paid}</p>
`,
  },
  typeCheck: ['svelte-check', '--workspace', 'svelte', '--tsconfig', 'tsconfig.json', '--fail-on-warnings'],
};
