import { createApp } from 'vue';
import BookingPage from './BookingPage.vue';

createApp(BookingPage).mount('#app');
