import { mount } from 'svelte';
import BookingPage from './BookingPage.svelte';

const target = document.getElementById('app');
if (target) mount(BookingPage, { target });
