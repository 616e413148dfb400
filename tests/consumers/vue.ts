import { FROM_ADDRESS, type FrameworkPage, indexHtml, tsconfig } from './project.ts';

/** Vue 3, a single-file component. */
export const vue: FrameworkPage = {
  name: 'vue',
  files: {
    'index.html': indexHtml('./main.ts'),
    'address.ts': FROM_ADDRESS,
    'tsconfig.json': JSON.stringify({
      ...JSON.parse(tsconfig({ skipLibCheck: true }, ['*.ts', '*.vue'])),
      vueCompilerOptions: { strictTemplates: true },
    }),
    'main.ts': `
import { createApp } from 'vue';
import Booking from './Booking.vue';

createApp(Booking).mount('#app');
`,
    'Booking.vue': `
<script setup lang="ts">
import '@innkeep/widgets/define';
import '@innkeep/widgets/types/vue';
import type { PayEventMap } from '@innkeep/widgets';
import { ref } from 'vue';
import { clientSecret, endpoint } from './address';

const paid = ref('');
const done = ({ detail }: PayEventMap['pay-completed']): void => {
  paid.value = detail.checkout?.id ?? '';
};
</script>

<template>
  <pay-widget :endpoint="endpoint" :client-secret="clientSecret" locale="en" @pay-completed="done">
    <a href="/pay-link">Pay by link</a>
  </pay-widget>
  <p id="paid">{{ paid }}</p>
  <!-- @vue-expect-error a theme that there is not -->
  <pay-widget v-if="false" theme="pink" />
  <pay-widget v-if="false"><span slot="label">Pay the deposit</span></pay-widget>
</template>
`,
  },
  typeCheck: ['vue-tsc', '-p', 'vue'],
};
